SELECT customer AS who, amount FROM orders
