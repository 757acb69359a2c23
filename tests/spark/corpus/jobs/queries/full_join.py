"""Rows of both sides."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").withColumnRenamed("id", "order_id")
returns = spark.read.orc(f"{data}/returns")
orders.join(returns, "order_id", "full").select("order_id", "amount", "reason").write.parquet(f"{out}/r")
