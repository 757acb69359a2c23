"""All combinations of groups."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.cube("status", F.year("day").alias("year")).count().write.parquet(f"{out}/r")
