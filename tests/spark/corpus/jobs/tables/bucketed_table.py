"""A bucketed and sorted table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.write.bucketBy(2, "customer_id").sortBy("id").saveAsTable("bucketed_orders")
