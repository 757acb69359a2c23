"""CASE WHEN."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
size = F.when(F.col("amount") > 50, "large").when(F.col("status") == "open", "pending").otherwise("small")
orders.select("id", size.alias("size")).write.parquet(f"{out}/r")
