"""One input, two outputs."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").cache()
orders.where("status = 'open'").write.parquet(f"{out}/open")
orders.where("status <> 'open'").write.parquet(f"{out}/closed")
orders.unpersist()
