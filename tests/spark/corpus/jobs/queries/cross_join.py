"""All combinations."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers").select("name")
products = spark.read.csv(f"{data}/products.csv", header=True).select("title")
customers.crossJoin(products).write.parquet(f"{out}/r")
