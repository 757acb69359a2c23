"""Send each row to another system."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()


def send(row):
    assert row.id > 0


spark.read.parquet(f"{data}/orders").select("id").foreach(send)
