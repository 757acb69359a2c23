SELECT * FROM (SELECT city, amount, discount FROM orders) UNPIVOT (money FOR kind IN (amount, discount))
