SELECT city FROM orders WHERE EXISTS (SELECT max(level) FROM customers WHERE id > 100)
