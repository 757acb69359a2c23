SELECT CASE WHEN amount > 20 THEN city WHEN discount > 2 THEN note ELSE 'none' END AS label FROM orders
