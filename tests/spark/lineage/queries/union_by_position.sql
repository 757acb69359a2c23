SELECT customer AS number, city AS word FROM orders UNION ALL SELECT level, name FROM customers
