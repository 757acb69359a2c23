SELECT city FROM orders WHERE EXISTS (
    SELECT name FROM customers WHERE level > 25 UNION SELECT name FROM customers WHERE id = customer
)
