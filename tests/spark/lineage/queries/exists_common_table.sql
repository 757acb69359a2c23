WITH known AS (SELECT * FROM customers WHERE level > 5 ORDER BY name)
SELECT city FROM orders WHERE EXISTS (SELECT * FROM known WHERE id = customer)
