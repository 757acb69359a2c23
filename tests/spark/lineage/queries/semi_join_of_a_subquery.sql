SELECT amount FROM orders LEFT SEMI JOIN (SELECT * FROM customers WHERE level > 5) ON customer = id
