SELECT name FROM customers WHERE EXISTS (
    SELECT item, city FROM orders LATERAL VIEW explode(items) AS item WHERE customer = id
)
