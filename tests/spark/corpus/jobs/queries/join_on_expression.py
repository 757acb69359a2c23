"""A join on a computed key."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers")
clicks = spark.read.json(f"{data}/clicks.json")
customers.join(clicks, F.lower(customers.name) == F.split("page", "/")[1]).select(
    "email", "page"
).write.parquet(f"{out}/r")
