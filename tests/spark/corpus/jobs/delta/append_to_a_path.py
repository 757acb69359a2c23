"""Append twice to the path of a Delta table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "amount")
amounts.write.format("delta").save(f"{out}/amounts")
archived = spark.read.parquet(f"{data}/archived_orders").select("id", "amount")
archived.write.format("delta").mode("append").save(f"{out}/amounts")
