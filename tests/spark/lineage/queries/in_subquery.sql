SELECT city FROM orders WHERE customer IN (SELECT id FROM customers WHERE level > 5)
