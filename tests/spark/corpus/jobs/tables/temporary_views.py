"""Temporary views and a global one."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.read.parquet(f"{data}/customers").createOrReplaceGlobalTempView("customers")
spark.sql(
    "SELECT c.name, sum(o.amount) AS amount FROM orders o JOIN global_temp.customers c ON o.customer_id = c.id GROUP BY c.name"
).write.parquet(f"{out}/amounts")
spark.catalog.dropGlobalTempView("customers")
