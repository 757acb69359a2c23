"""Read files by a pattern."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
visits = spark.read.parquet(f"{data}/visits/country=*/")
visits.select(F.sum("count").alias("total")).write.parquet(f"{out}/total")
