"""Compare a table with its first version."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "amount")
amounts.write.format("delta").save(f"{out}/amounts")
amounts.selectExpr("id", "amount + 1 AS amount").write.format("delta").mode("overwrite").save(
    f"{out}/amounts"
)
old = spark.read.format("delta").option("versionAsOf", 0).load(f"{out}/amounts")
old.select("id", "amount").write.parquet(f"{out}/first")
