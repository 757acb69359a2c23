"""Functions of DataFrames."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def german(frame):
    return frame.where("country = 'de'")


def with_domain(frame):
    return frame.withColumn("domain", F.split("email", "@")[1])


spark.read.parquet(f"{data}/customers").transform(german).transform(with_domain).write.parquet(f"{out}/r")
