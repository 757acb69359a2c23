"""INSERT INTO in SQL."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts (id BIGINT, amount DOUBLE) USING parquet")
spark.sql("INSERT INTO amounts SELECT id, amount FROM orders")
