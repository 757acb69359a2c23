SELECT name, amount FROM orders JOIN customers ON customer = id
