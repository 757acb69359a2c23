SELECT word, count(*) AS times FROM orders LATERAL VIEW explode(split(note, ' ')) AS word GROUP BY word
