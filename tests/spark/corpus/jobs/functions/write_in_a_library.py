"""Another function does the write."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def export(frame, path):
    frame.write.mode("overwrite").parquet(path)


export(spark.read.parquet(f"{data}/customers").select("id", "name"), f"{out}/r")
