SELECT sum(amount) FILTER (WHERE discount > 2) AS total FROM orders
