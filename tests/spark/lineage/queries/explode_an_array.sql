SELECT city, item FROM orders LATERAL VIEW explode(items) AS item
