SELECT made.a AS a, made.b.c AS c
FROM (
  SELECT struct(city AS a, struct(note AS c) AS b) AS made FROM orders
  UNION ALL
  SELECT struct(name AS a, struct(name AS c) AS b) FROM customers
)
