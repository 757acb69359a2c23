"""Restore the first version of a table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts USING delta AS SELECT id, amount FROM orders")
spark.sql("DELETE FROM amounts WHERE id > 3")
spark.sql("RESTORE TABLE amounts TO VERSION AS OF 0")
