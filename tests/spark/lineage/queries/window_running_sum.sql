SELECT customer, sum(discount) OVER (PARTITION BY city ORDER BY amount) AS running FROM orders
