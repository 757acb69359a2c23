"""Flatten JSON and store it as ORC."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
clicks = spark.read.json(f"{data}/clicks.json")
clicks.select("page", F.col("user.id").alias("user_id"), "user.agent").write.orc(f"{out}/clicks")
