SELECT o.city, c.name FROM orders o LEFT JOIN (SELECT id AS customer, name FROM customers) c USING (customer)
