"""SQL with parameters."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("SELECT id, amount FROM orders WHERE status = :status", args={"status": "open"}).write.parquet(
    f"{out}/r"
)
