"""Data that comes from the program."""

import sys

from pyspark.sql import SparkSession

out = sys.argv[2]
spark = SparkSession.builder.getOrCreate()
rates = spark.createDataFrame([("EUR", 1.0), ("USD", 1.08)], ["currency", "rate"])
rates.write.parquet(f"{out}/rates")
