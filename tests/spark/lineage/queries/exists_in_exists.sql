SELECT name FROM customers AS c WHERE EXISTS (
    SELECT * FROM orders AS o WHERE o.customer = c.id AND EXISTS (
        SELECT * FROM orders AS other WHERE other.city = o.city AND other.amount > 20
    )
)
