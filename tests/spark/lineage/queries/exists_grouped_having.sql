SELECT name FROM customers WHERE EXISTS (
    SELECT city, max(note) FROM orders GROUP BY city HAVING sum(amount) > 40 AND city < "p"
) AND level < 10
