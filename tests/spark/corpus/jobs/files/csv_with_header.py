"""Read CSV with a header and write compressed CSV."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
products = spark.read.option("header", True).option("inferSchema", True).csv(f"{data}/products.csv")
products.write.option("header", True).option("compression", "gzip").csv(f"{out}/products")
