"""CTAS in SQL."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql(
    "CREATE TABLE open_orders USING parquet AS SELECT id, amount * 2 AS twice FROM orders WHERE status = 'open'"
)
