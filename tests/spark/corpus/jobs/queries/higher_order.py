"""Transform and filter arrays."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.select(
    "id", F.expr("aggregate(transform(items, i -> i.quantity), 0, (a, q) -> a + q)").alias("pieces")
).write.parquet(f"{out}/r")
