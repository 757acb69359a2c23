"""Partition by derived columns."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
dated = orders.withColumn("year", F.year("day")).withColumn("month", F.month("day"))
dated.write.partitionBy("year", "month").mode("overwrite").parquet(f"{out}/orders")
