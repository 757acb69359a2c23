SELECT customer FROM orders EXCEPT SELECT id FROM customers
