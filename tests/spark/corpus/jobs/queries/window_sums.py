"""Running totals and differences."""

import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
by_day = Window.partitionBy("customer_id").orderBy("day")
orders.select(
    "id",
    F.sum("amount").over(by_day).alias("running"),
    (F.col("amount") - F.lag("amount").over(by_day)).alias("change"),
).write.parquet(f"{out}/r")
