"""Iterate over all rows."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
total = 0.0
for row in spark.read.parquet(f"{data}/orders").select("amount").toLocalIterator():
    total += row.amount or 0.0
print(total)
