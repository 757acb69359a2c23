SELECT city FROM orders WHERE (SELECT max(level) > 15 FROM customers)
