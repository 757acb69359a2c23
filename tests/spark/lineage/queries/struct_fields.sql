SELECT made.inner.n AS note, upper(made.other.c) AS city, struct(amount, discount).amount AS amount
FROM (SELECT named_struct('inner', struct(note AS n, discount), 'other', struct(city AS c, amount)) AS made, amount, discount FROM orders)
