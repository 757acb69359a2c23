"""Replace the rows of a condition."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "status", "amount")
amounts.writeTo("ice.corpus.amounts").partitionedBy("status").create()
reduced = amounts.where("status = 'open'").selectExpr("id", "status", "amount * 0.5 AS amount")
reduced.writeTo("ice.corpus.amounts").overwrite(col("status") == "open")
