"""Correct the amounts of some rows with Delta's API."""

import sys

from delta.tables import DeltaTable
from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount", "status").write.format("delta").saveAsTable("amounts")
DeltaTable.forName(spark, "amounts").update("status = 'open'", {"amount": "amount + id"})
