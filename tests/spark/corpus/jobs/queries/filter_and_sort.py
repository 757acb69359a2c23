"""Filter, sort and limit."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.where((F.col("amount") > 5) & F.col("status").isNotNull()).orderBy("day", F.desc("amount")).limit(
    5
).select("id").write.parquet(f"{out}/r")
