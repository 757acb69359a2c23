"""Delete some rows."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts USING delta AS SELECT id, amount, status FROM orders")
spark.sql("DELETE FROM amounts WHERE amount < 20")
