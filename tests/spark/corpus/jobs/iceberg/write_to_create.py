"""The v2 writer creates a partitioned table and appends."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
amounts = orders.select("id", "status", "amount")
amounts.writeTo("ice.corpus.amounts").partitionedBy("status").create()
spark.read.parquet(f"{data}/archived_orders").select("id", "status", "amount").writeTo(
    "ice.corpus.amounts"
).append()
