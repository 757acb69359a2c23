SELECT note FROM orders ORDER BY amount LIMIT 3
