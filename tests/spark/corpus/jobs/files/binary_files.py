"""List images with their sizes."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
images = spark.read.format("binaryFile").load(f"{data}/images")
images.select("path", "length").write.parquet(f"{out}/images")
