SELECT customer FROM orders INTERSECT SELECT id FROM customers
