"""Replace yesterday's extract."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.write.parquet(f"{out}/extract")
orders.filter("status = 'shipped'").write.mode("overwrite").parquet(f"{out}/extract")
