"""Columns without a source."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.select("id", F.lit("etl").alias("origin"), F.current_date().alias("loaded_on")).write.parquet(
    f"{out}/r"
)
