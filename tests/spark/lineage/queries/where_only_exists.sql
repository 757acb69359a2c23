SELECT city FROM orders WHERE EXISTS (SELECT 1 FROM customers WHERE level > 15)
