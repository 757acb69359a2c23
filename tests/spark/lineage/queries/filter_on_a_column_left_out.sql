SELECT city FROM orders WHERE amount > 20
