"""Defaults for missing values."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.na.fill({"amount": 0.0, "status": "unknown"}).na.drop(subset=["customer_id"]).write.parquet(f"{out}/r")
