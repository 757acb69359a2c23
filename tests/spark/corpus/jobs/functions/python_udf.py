"""A Python function per row."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
rounded = F.udf(lambda amount: None if amount is None else round(amount), "long")
orders.select("id", rounded("amount").alias("rounded")).write.parquet(f"{out}/r")
