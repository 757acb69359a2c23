"""Convert a folder of Parquet to Delta, and clone it."""

import sys

from delta.tables import DeltaTable
from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").write.parquet(f"{out}/amounts")
DeltaTable.convertToDelta(spark, f"parquet.`{out}/amounts`")
spark.sql(f"CREATE TABLE cloned SHALLOW CLONE delta.`{out}/amounts`")
