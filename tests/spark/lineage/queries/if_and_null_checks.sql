SELECT if(discount IS NULL, amount, customer) AS picked FROM orders
