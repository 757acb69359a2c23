"""Two writes at the same time."""

import sys
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def export(name):
    spark.read.parquet(f"{data}/{name}").write.parquet(f"{out}/{name}")


with ThreadPoolExecutor(2) as pool:
    list(pool.map(export, ["orders", "customers"]))
