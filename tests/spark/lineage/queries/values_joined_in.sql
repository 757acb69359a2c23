SELECT note, label FROM orders JOIN VALUES (1, 'one'), (2, 'two') AS labels (number, label) ON customer = number
