SELECT city, total, rank() OVER (ORDER BY total) AS place FROM (SELECT city, sum(paid) AS total FROM (SELECT city, amount - discount AS paid FROM orders WHERE note IS NOT NULL) GROUP BY city)
