"""The v2 writer creates and replaces a table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "amount")
amounts.writeTo("v2_amounts").using("delta").create()
amounts.limit(3).writeTo("v2_amounts").using("delta").createOrReplace()
amounts.writeTo("v2_amounts").append()
