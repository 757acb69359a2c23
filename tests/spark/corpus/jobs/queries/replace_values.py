"""Replace codes."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.replace({"open": "o", "shipped": "s"}, subset=["status"]).select("id", "status").write.parquet(
    f"{out}/r"
)
