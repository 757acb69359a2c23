"""Append by name."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").select("id", "amount")
orders.write.saveAsTable("amounts")
orders.select(F.col("id") + 100, "amount").toDF("id", "amount").write.mode("append").saveAsTable("amounts")
