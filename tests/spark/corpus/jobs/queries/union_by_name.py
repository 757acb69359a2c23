"""Rows of two tables by name, with missing columns."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").select("amount", "id", "status")
archived = spark.read.parquet(f"{data}/archived_orders").select("id", "amount")
orders.unionByName(archived, allowMissingColumns=True).write.parquet(f"{out}/r")
