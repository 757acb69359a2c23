"""Several aggregates per group."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.groupBy("customer_id", "status").agg(
    F.count("*").alias("n"),
    F.avg("amount").alias("mean"),
    F.max("day").alias("latest"),
    F.collect_set("id").alias("ids"),
).write.parquet(f"{out}/r")
