"""Delete some rows with Delta's API."""

import sys

from delta.tables import DeltaTable
from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").write.format("delta").save(f"{out}/amounts")
DeltaTable.forPath(spark, f"{out}/amounts").delete("amount IS NULL OR id > 8")
