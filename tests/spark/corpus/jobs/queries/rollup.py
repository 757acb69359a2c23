"""Totals on several levels."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.rollup("status", "customer_id").agg(F.sum("amount").alias("amount")).write.parquet(f"{out}/r")
