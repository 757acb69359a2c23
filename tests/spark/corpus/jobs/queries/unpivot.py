"""Columns become rows."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
products = spark.read.csv(f"{data}/products.csv", header=True)
products.unpivot(["sku"], ["title", "category"], "field", "value").write.parquet(f"{out}/r")
