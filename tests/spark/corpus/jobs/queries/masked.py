"""Hash personal data."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers")
customers.select(
    "id", F.sha2("email", 256).alias("email_hash"), F.md5("name").alias("name_hash")
).write.parquet(f"{out}/r")
