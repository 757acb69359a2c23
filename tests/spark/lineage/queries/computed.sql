SELECT amount - coalesce(discount, 0) AS paid, upper(city) AS city, 1 AS one FROM orders
