"""Look at the history of a table."""

import sys

from delta.tables import DeltaTable
from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").write.format("delta").save(f"{out}/amounts")
print(DeltaTable.forPath(spark, f"{out}/amounts").history().count())
spark.sql(f"DESCRIBE DETAIL delta.`{out}/amounts`").show()
