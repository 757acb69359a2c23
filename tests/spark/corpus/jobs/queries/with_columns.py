"""Computed columns."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.withColumns({"tax": F.col("amount") * 0.19, "week": F.weekofyear("day")}).drop("items").write.parquet(
    f"{out}/r"
)
