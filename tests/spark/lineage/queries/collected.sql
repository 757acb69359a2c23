SELECT city, sort_array(collect_list(amount)) AS amounts, map_from_arrays(array(1), array(max(note))) AS notes FROM orders GROUP BY city
