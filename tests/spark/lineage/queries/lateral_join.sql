SELECT city, more FROM orders, LATERAL (SELECT level + amount AS more FROM customers WHERE id = customer)
