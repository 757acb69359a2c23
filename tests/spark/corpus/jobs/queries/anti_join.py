"""Customers without orders."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
customers = spark.read.parquet(f"{data}/customers")
customers.join(orders, customers.id == orders.customer_id, "left_anti").select("name").write.parquet(
    f"{out}/r"
)
