SELECT city FROM orders WHERE customer IN (SELECT DISTINCT id FROM (SELECT * FROM customers ORDER BY name) WHERE level > 5)
