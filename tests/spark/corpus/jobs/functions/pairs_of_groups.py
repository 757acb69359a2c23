"""A pandas function gets the groups of two DataFrames."""

import sys

import pandas
from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def total(left, right):
    return pandas.DataFrame({"name": right.name[:1], "total": [left.amount.sum()] * len(right.name[:1])})


orders = spark.read.parquet(f"{data}/orders").select("customer_id", "amount").groupBy("customer_id")
customers = spark.read.parquet(f"{data}/customers").select("id", "name").groupBy("id")
orders.cogroup(customers).applyInPandas(total, "name string, total double").write.parquet(f"{out}/r")
