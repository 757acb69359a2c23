SELECT amount - (SELECT avg(level) FROM customers WHERE name > "b") AS above FROM orders
