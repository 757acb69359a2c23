"""Counts per hour."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
clicks = spark.read.json(f"{data}/clicks.json").withColumn("at", F.to_timestamp("ts"))
clicks.groupBy(F.window("at", "1 hour")).agg(F.count("*").alias("clicks")).select(
    "window.start", "clicks"
).write.parquet(f"{out}/r")
