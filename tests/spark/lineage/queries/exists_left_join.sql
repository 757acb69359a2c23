SELECT name FROM customers WHERE EXISTS (
    SELECT * FROM (SELECT * FROM orders WHERE customer = id) AS one LEFT JOIN orders AS other ON one.note = other.note
)
