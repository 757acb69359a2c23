"""Project and rename columns."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.select(F.col("id").alias("order_id"), "amount").withColumnRenamed("amount", "value").write.parquet(
    f"{out}/r"
)
