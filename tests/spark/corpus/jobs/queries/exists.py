"""Customers with a large order."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.read.parquet(f"{data}/customers").createOrReplaceTempView("customers")
spark.sql(
    "SELECT name FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id AND amount > 50)"
).write.parquet(f"{out}/r")
