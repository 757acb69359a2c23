"""Read two folders at once."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
both = spark.read.parquet(f"{data}/orders", f"{data}/archived_orders")
both.groupBy("status").count().write.parquet(f"{out}/counts")
