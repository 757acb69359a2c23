SELECT amount FROM orders LEFT SEMI JOIN customers ON customer = id AND level > 5
