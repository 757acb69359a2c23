"""Load a table of a database."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
database = sys.argv[3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").select("id", "amount").write.jdbc(database, "AMOUNTS", mode="overwrite")
