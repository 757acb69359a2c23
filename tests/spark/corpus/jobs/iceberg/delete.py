"""Delete some rows."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts USING iceberg AS SELECT id, amount, status FROM orders")
spark.sql("DELETE FROM ice.corpus.amounts WHERE amount < 20")
