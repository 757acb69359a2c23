SELECT pair.kind, pair.number FROM (SELECT explode(pairs) AS pair FROM (SELECT array(struct(city AS kind, amount AS number), struct('x' AS kind, discount AS number)) AS pairs FROM orders))
