"""Save a Delta table to a path."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.where("amount > 10").select("id", "amount").write.format("delta").save(f"{out}/large")
