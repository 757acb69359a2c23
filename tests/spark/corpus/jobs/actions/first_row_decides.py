"""Look at one row, then write another table."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
newest = spark.read.parquet(f"{data}/orders").agg(F.max("day").alias("day")).first()
spark.read.parquet(f"{data}/customers").withColumn("as_of", F.lit(newest.day)).write.parquet(
    f"{out}/customers"
)
