"""A random sample."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").sample(1.0, seed=7).write.parquet(f"{out}/r")
