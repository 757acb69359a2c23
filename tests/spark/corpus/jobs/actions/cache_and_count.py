"""Materialize a cache before writing."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").where("amount > 1").cache()
print(orders.count())
orders.write.parquet(f"{out}/orders")
