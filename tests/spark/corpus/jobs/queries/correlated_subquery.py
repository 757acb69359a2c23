"""The largest order of each customer."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.read.parquet(f"{data}/customers").createOrReplaceTempView("customers")
spark.sql(
    "SELECT name, (SELECT max(amount) FROM orders WHERE customer_id = c.id) AS largest FROM customers c"
).write.parquet(f"{out}/r")
