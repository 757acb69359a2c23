"""Overwrite a Delta table with a query of itself."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").write.format("delta").save(f"{out}/amounts")
amounts = spark.read.format("delta").load(f"{out}/amounts")
doubled = amounts.selectExpr("id", "amount * 2 AS amount")
doubled.write.format("delta").mode("overwrite").save(f"{out}/amounts")
