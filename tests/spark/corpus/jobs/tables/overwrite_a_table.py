"""Replace a managed table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.write.saveAsTable("daily_orders")
orders.where("status = 'open'").write.mode("overwrite").saveAsTable("daily_orders")
