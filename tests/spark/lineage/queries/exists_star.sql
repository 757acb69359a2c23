SELECT city FROM orders WHERE EXISTS (SELECT * FROM customers WHERE id = customer AND level > 5)
