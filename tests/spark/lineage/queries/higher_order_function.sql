SELECT transform(items, item -> item + amount) AS moved, filter(items, item -> item > discount) AS large FROM orders
