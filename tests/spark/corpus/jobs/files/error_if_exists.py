"""A job that fails because its output exists already."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers")
customers.select("id").write.parquet(f"{out}/ids")
customers.write.parquet(f"{out}/ids")
