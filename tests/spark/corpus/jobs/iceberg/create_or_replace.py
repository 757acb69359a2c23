"""The v2 writer replaces a table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id").writeTo("ice.corpus.ids").using("iceberg").create()
orders.selectExpr("id + 1 AS id").writeTo("ice.corpus.ids").using("iceberg").createOrReplace()
