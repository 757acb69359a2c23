WITH RECURSIVE chain (customer, label, step) AS (
  SELECT customer, note, 0 FROM orders WHERE amount > 10
  UNION ALL
  SELECT customers.level, customers.name, step + 1
  FROM chain JOIN customers ON customers.id = chain.customer WHERE step < 2
)
SELECT label FROM chain
