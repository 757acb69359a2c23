"""One row per item of an array."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.select("id", F.explode("items").alias("item")).select("id", "item.sku", "item.quantity").write.parquet(
    f"{out}/r"
)
