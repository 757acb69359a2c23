SELECT city, (SELECT count(*) FROM customers WHERE id = customer) AS known FROM orders
