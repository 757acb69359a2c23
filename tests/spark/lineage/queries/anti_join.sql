SELECT amount FROM orders LEFT ANTI JOIN customers ON customer = id
