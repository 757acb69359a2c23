SELECT city FROM orders WHERE (customer, amount) IN (SELECT id, level + 3 FROM customers WHERE name <> "x")
