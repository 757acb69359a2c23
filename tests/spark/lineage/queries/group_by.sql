SELECT city, sum(amount) AS total, max(discount) AS most, count(*) AS orders FROM orders GROUP BY city
