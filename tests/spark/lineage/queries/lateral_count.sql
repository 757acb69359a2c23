SELECT city, known FROM orders, LATERAL (SELECT count(*) AS known FROM customers WHERE id = customer)
