SELECT note FROM orders JOIN (SELECT id FROM customers) c ON EXISTS (SELECT 1 FROM customers WHERE level > 15)
