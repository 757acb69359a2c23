SELECT note, key, value FROM orders LATERAL VIEW explode(map('amount', amount, 'discount', discount)) AS key, value
