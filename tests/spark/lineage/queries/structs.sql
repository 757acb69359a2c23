SELECT struct(note, discount) AS both, named_struct('where', city, 'what', amount) AS named FROM orders
