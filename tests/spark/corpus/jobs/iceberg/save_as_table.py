"""Save and append a table by name."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "amount")
amounts.write.format("iceberg").saveAsTable("ice.corpus.amounts")
amounts.write.format("iceberg").mode("append").saveAsTable("ice.corpus.amounts")
