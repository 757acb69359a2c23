"""Read CSV with a declared schema."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
products = spark.read.csv(
    f"{data}/products.csv", schema="sku string, title string, price double", header=True
)
products.where(F.col("price") > 10).write.json(f"{out}/expensive")
