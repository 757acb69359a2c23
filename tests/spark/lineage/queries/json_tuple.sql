SELECT customer, first, second FROM orders LATERAL VIEW json_tuple(concat('{"a": "', note, '", "b": 1}'), 'a', 'b') AS first, second
