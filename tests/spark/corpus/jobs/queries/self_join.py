"""Customers of the same country."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers")
a, b = customers.alias("a"), customers.alias("b")
a.join(b, (F.col("a.country") == F.col("b.country")) & (F.col("a.id") < F.col("b.id"))).select(
    F.col("a.name").alias("one"), F.col("b.name").alias("other")
).write.parquet(f"{out}/r")
