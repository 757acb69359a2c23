"""Correct the amounts of some rows."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts USING delta AS SELECT id, amount, status FROM orders")
spark.sql("UPDATE amounts SET amount = amount * 0.9, status = 'reduced' WHERE status = 'open'")
