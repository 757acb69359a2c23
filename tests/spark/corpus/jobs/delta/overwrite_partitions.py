"""Replace only the partitions that are written."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "status", "amount")
amounts.write.format("delta").partitionBy("status").save(f"{out}/amounts")
some = amounts.where("status = 'open' AND id > 5")
some.write.format("delta").mode("overwrite").option("partitionOverwriteMode", "dynamic").save(
    f"{out}/amounts"
)
