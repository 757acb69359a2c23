"""Export a query to a folder."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/customers").createOrReplaceTempView("customers")
spark.sql(f"INSERT OVERWRITE DIRECTORY '{out}/emails' USING csv SELECT email FROM customers")
