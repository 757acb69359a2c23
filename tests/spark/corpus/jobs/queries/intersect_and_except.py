"""Set operations."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").select("customer_id")
customers = spark.read.parquet(f"{data}/customers").select(F.col("id").alias("customer_id"))
customers.intersect(orders).write.parquet(f"{out}/both")
customers.exceptAll(orders).write.parquet(f"{out}/without")
