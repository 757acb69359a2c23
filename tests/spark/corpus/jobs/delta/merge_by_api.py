"""Upsert archived orders with Delta's API."""

import sys

from delta.tables import DeltaTable
from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount", "status").write.format("delta").save(f"{out}/amounts")
archived = spark.read.parquet(f"{data}/archived_orders").select("id", "amount", "status")
table = DeltaTable.forPath(spark, f"{out}/amounts")
merge = table.alias("a").merge(archived.alias("s"), "a.id = s.id")
merge.whenMatchedUpdate(set={"amount": "a.amount + s.amount"}).whenNotMatchedInsertAll().execute()
