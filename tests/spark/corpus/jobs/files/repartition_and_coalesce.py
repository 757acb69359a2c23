"""Control the number of files."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.repartition(4, "customer_id").coalesce(1).write.parquet(f"{out}/orders")
