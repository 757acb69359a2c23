"""A job that fails while it writes."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


@F.udf("double")
def checked(amount):
    raise ValueError(f"invalid amount {amount}")


orders = spark.read.parquet(f"{data}/orders")
orders.select("id", checked("amount").alias("amount")).write.parquet(f"{out}/checked")
