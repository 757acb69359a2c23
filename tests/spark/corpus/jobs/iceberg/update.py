"""Correct the amounts of some rows."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts USING iceberg AS SELECT id, amount, status FROM orders")
spark.sql("UPDATE ice.corpus.amounts SET amount = amount * 0.9, status = 'reduced' WHERE status = 'open'")
