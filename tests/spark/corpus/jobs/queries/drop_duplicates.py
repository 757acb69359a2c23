"""Keep one row per key."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").dropDuplicates(["customer_id"]).select(
    "customer_id", "day"
).write.parquet(f"{out}/r")
