"""Text and date functions."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers")
customers.select(
    F.upper("name").alias("name"),
    F.regexp_extract("email", "@(.*)$", 1).alias("domain"),
    F.datediff(F.current_date(), "since").alias("days"),
).write.parquet(f"{out}/r")
