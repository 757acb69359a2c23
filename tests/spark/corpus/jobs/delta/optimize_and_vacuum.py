"""Compact the files of a table, and remove old ones."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

for part in ("id < 6", "id >= 6"):
    orders.where(part).select("id", "amount").write.format("delta").mode("append").saveAsTable("amounts")
spark.sql("OPTIMIZE amounts")
spark.sql("VACUUM amounts")
