SELECT lag(note) OVER (ORDER BY amount) AS before FROM orders
