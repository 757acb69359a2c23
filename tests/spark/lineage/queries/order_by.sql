SELECT note FROM orders ORDER BY city, amount
