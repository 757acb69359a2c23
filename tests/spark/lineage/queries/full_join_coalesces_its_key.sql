SELECT customer, name FROM orders FULL JOIN (SELECT id AS customer, name FROM customers) USING (customer)
