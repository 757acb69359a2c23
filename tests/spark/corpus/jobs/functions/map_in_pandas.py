"""Batches as pandas frames."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def only_positive(frames):
    for frame in frames:
        yield frame[frame.amount > 0]


orders = spark.read.parquet(f"{data}/orders").select("id", "amount")
orders.mapInPandas(only_positive, "id long, amount double").write.parquet(f"{out}/r")
