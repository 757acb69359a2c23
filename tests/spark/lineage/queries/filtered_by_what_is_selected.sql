SELECT customer, amount, city FROM orders WHERE amount > 10 AND customer < 4
