SELECT * FROM (SELECT customer, city, amount FROM orders) PIVOT (sum(amount) FOR city IN ('berlin', 'oslo'))
