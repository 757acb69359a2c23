"""A join on a range."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
bands = spark.createDataFrame([(0.0, 20.0, "low"), (20.0, 1000.0, "high")], ["least", "below", "band"])
orders.join(bands, (orders.amount >= bands.least) & (orders.amount < bands.below)).select(
    "id", "band"
).write.parquet(f"{out}/r")
