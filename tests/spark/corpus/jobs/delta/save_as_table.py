"""Save a partitioned Delta table by name."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "status", "amount").write.format("delta").partitionBy("status").saveAsTable("per_status")
print(spark.table("per_status").where("status = 'open'").count())
