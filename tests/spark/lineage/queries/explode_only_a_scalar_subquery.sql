SELECT explode((SELECT max(items) FROM orders)) AS item FROM customers
