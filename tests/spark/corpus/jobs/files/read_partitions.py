"""Read some partitions of a partitioned folder."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
visits = spark.read.parquet(f"{data}/visits")
visits.where(F.col("country").isin("de", "fr")).groupBy("country").agg(
    F.sum("count").alias("visits")
).write.parquet(f"{out}/visits")
