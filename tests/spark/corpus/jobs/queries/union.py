"""Rows of two tables by position."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").select("id", "amount")
archived = spark.read.parquet(f"{data}/archived_orders").select("id", "amount")
orders.union(archived).write.parquet(f"{out}/r")
