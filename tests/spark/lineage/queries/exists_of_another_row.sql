SELECT city, note FROM orders AS one WHERE EXISTS (
    SELECT * FROM orders AS other WHERE other.customer = one.customer AND other.city <> one.city
)
