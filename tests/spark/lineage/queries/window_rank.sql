SELECT note, row_number() OVER (PARTITION BY city ORDER BY amount) AS place FROM orders
