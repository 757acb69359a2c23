SELECT city, EXISTS (SELECT * FROM customers WHERE id = customer) AS known FROM orders
