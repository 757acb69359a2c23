"""A DataFrame in the text of a query."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
spark.sql("SELECT status, max(amount) AS amount FROM {orders} GROUP BY status", orders=orders).write.parquet(
    f"{out}/r"
)
