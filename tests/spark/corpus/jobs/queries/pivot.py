"""Statuses become columns."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.groupBy("customer_id").pivot("status", ["open", "shipped"]).agg(F.sum("amount")).write.parquet(
    f"{out}/r"
)
