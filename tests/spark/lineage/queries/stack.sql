SELECT note, stack(2, 'amount', amount, city, discount) AS (kind, number) FROM orders
