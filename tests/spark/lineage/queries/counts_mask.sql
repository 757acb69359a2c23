SELECT count(discount) AS discounts, count(DISTINCT city) AS cities FROM orders
