"""Replace the rows of a condition."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "status", "amount")
amounts.write.format("delta").partitionBy("status").save(f"{out}/amounts")
reduced = amounts.where("status = 'open'").selectExpr("id", "status", "amount * 0.5 AS amount")
reduced.write.format("delta").mode("overwrite").option("replaceWhere", "status = 'open'").save(
    f"{out}/amounts"
)
