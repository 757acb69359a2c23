SELECT city, (SELECT max(level) FROM customers WHERE id = customer) AS level FROM orders
