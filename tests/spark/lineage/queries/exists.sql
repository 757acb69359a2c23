SELECT city FROM orders WHERE EXISTS (SELECT 1 FROM customers WHERE id = customer AND level > 5)
