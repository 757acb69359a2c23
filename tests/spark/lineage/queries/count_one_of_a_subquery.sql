SELECT city FROM orders WHERE (SELECT count(1) FROM customers WHERE level > 5) > 2
