"""CACHE TABLE and UNCACHE TABLE."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CACHE TABLE orders")
spark.sql("SELECT count(*) AS n FROM orders").write.parquet(f"{out}/n")
spark.sql("UNCACHE TABLE orders")
