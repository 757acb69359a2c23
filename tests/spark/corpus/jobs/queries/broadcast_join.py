"""A join with a hint."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
countries = spark.createDataFrame([("de", "Germany"), ("fr", "France")], ["country", "label"])
customers = spark.read.parquet(f"{data}/customers").join(F.broadcast(countries), "country")
orders.join(customers, orders.customer_id == customers.id).groupBy("label").agg(
    F.sum("amount").alias("amount")
).write.parquet(f"{out}/r")
