SELECT city FROM orders WHERE amount NOT IN (SELECT level + 3 FROM customers)
