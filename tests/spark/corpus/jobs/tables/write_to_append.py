"""The v2 writer appends to a table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
amounts = spark.read.parquet(f"{data}/orders").select("id", "amount")
amounts.write.saveAsTable("v2_amounts")
amounts.write.mode("append").saveAsTable("v2_amounts")
