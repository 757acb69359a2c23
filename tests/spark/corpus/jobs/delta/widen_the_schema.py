"""Append a column that is new."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id").write.format("delta").save(f"{out}/wide")
wider = orders.selectExpr("id", "upper(status) AS state")
wider.write.format("delta").mode("append").option("mergeSchema", "true").save(f"{out}/wide")
