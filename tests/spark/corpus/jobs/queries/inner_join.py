"""Orders with their customers."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").alias("o")
customers = spark.read.parquet(f"{data}/customers").alias("c")
orders.join(customers, F.col("o.customer_id") == F.col("c.id")).select(
    "o.id", "c.name", "o.amount"
).write.parquet(f"{out}/r")
