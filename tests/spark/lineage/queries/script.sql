SELECT TRANSFORM(city, amount) USING 'cat' AS (town STRING, total STRING) FROM orders WHERE discount > 0
