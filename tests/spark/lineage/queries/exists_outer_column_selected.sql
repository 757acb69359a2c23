SELECT city FROM orders WHERE EXISTS (SELECT note, name FROM customers WHERE id = customer)
