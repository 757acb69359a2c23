"""Copy a Delta table with a join to an Iceberg table."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").write.format("delta").save(f"{out}/amounts")
returns = spark.read.orc(f"{data}/returns")
returned = spark.read.format("delta").load(f"{out}/amounts").join(returns, col("id") == col("order_id"))
returned.select("id", "amount", "reason").writeTo("ice.corpus.returned").using("iceberg").create()
