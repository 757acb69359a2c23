"""Several groupings in one query."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.read.parquet(f"{data}/customers").createOrReplaceTempView("customers")
spark.sql(
    "SELECT country, status, grouping_id() AS level, count(DISTINCT o.id) AS n, sum(amount) AS total "
    "FROM orders o JOIN customers c ON o.customer_id = c.id "
    "GROUP BY GROUPING SETS ((country, status), (country), ())"
).write.parquet(f"{out}/r")
