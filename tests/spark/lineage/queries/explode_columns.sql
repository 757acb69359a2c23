SELECT note, posexplode(array(amount, discount)) AS (place, number) FROM orders
