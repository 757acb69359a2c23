"""A job that fails after its first output."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").write.parquet(f"{out}/orders")
raise ValueError("no rates for 2026-11-22")
