"""Keep the name of the source file."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
products = spark.read.csv(f"{data}/products.csv", header=True)
products.withColumn("source", F.input_file_name()).write.parquet(f"{out}/products")
