"""Build and take apart structs."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers")
customers.select(
    F.struct("name", F.col("email").alias("mail")).alias("person"), F.create_map("country", "id").alias("m")
).select("person.mail", F.map_keys("m").alias("countries"), "person").write.parquet(f"{out}/r")
