"""Rows through an RDD."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
pairs = orders.rdd.map(lambda row: (row.status, row.amount or 0.0)).reduceByKey(lambda a, b: a + b)
pairs.toDF(["status", "amount"]).write.parquet(f"{out}/per_status")
