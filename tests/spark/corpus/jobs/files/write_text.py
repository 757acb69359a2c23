"""Write one text column."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
products = spark.read.csv(f"{data}/products.csv", header=True)
products.select(F.concat_ws(" ", "sku", "title").alias("value")).write.text(f"{out}/labels")
