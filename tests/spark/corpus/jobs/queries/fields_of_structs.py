"""Take fields of structs that were built on the way."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
packed = orders.select("id", F.struct("day", F.struct("amount", "status").alias("detail")).alias("entry"))
packed.select("id", "entry.day", F.upper("entry.detail.status").alias("state")).write.parquet(f"{out}/states")
