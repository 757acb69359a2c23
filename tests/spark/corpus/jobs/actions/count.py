"""A check that only counts."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
print(spark.read.parquet(f"{data}/orders").where("amount > 20").count())
