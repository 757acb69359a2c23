"""Send rows in batches."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()


def send(rows):
    assert sum(1 for _ in rows) >= 0


spark.read.parquet(f"{data}/customers").foreachPartition(send)
