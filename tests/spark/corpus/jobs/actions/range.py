"""Numbers without an input."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

out = sys.argv[2]
spark = SparkSession.builder.getOrCreate()
spark.range(100).withColumn("square", F.col("id") * F.col("id")).write.parquet(f"{out}/squares")
