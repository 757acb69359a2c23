SELECT city FROM orders WHERE NOT EXISTS (SELECT * FROM customers WHERE id = customer AND level > 5)
