"""The latest order of each customer."""

import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
latest = Window.partitionBy("customer_id").orderBy(F.desc("day"))
orders.withColumn("rank", F.row_number().over(latest)).where("rank = 1").drop("rank").write.parquet(
    f"{out}/r"
)
