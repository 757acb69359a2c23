"""Append new rows to an existing folder."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.limit(3).write.parquet(f"{out}/log")
orders.where("id > 5").write.mode("append").parquet(f"{out}/log")
