"""The v2 writer creates a table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").select("id", "amount").writeTo("v2_amounts").using("parquet").create()
