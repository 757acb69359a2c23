SELECT city, min(amount) AS least FROM orders GROUP BY city HAVING sum(discount) > 5
