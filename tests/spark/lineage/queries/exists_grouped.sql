SELECT city FROM orders WHERE EXISTS (SELECT name, max(level) FROM customers WHERE id = customer GROUP BY name)
