"""A table at a given location."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").select("id", "amount")
orders.write.option("path", f"{out}/amounts").saveAsTable("external_amounts")
