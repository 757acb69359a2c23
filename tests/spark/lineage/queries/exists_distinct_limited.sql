SELECT city FROM orders WHERE EXISTS (
    SELECT DISTINCT name, level FROM customers WHERE id = customer ORDER BY name LIMIT 1
)
