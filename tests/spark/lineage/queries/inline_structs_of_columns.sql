SELECT inline(array(struct(city AS kind, amount AS number), struct('x' AS kind, discount AS number))) FROM orders
