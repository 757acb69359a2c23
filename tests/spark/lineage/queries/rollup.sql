SELECT city, customer, sum(amount) AS total FROM orders GROUP BY ROLLUP (city, customer)
