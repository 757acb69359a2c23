SELECT city, position, item FROM orders LATERAL VIEW OUTER posexplode(items) AS position, item
