SELECT l.amount AS more, r.city AS other FROM orders l JOIN orders r ON l.amount > r.amount + 10
