"""Copy a table of a database."""

import sys

from pyspark.sql import SparkSession

out = sys.argv[2]
database = sys.argv[3]
spark = SparkSession.builder.getOrCreate()
spark.read.jdbc(database, "CUSTOMERS").write.parquet(f"{out}/customers")
