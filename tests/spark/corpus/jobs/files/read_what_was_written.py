"""A job of two steps with a file in between."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.groupBy("customer_id").agg(F.sum("amount").alias("amount")).write.parquet(f"{out}/per_customer")
per_customer = spark.read.parquet(f"{out}/per_customer")
customers = spark.read.parquet(f"{data}/customers")
per_customer.join(customers, per_customer.customer_id == customers.id).groupBy("country").agg(
    F.sum("amount").alias("amount")
).write.parquet(f"{out}/per_country")
