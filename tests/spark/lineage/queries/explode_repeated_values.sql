SELECT city, explode(array_repeat(note, abs(amount % 4))) AS copy FROM orders
