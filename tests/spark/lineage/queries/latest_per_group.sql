SELECT city, note FROM (SELECT *, row_number() OVER (PARTITION BY city ORDER BY amount DESC) AS place FROM orders) WHERE place = 1
