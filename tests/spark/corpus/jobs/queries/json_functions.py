"""Parse a JSON column."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
clicks = spark.read.json(f"{data}/clicks.json").select(F.to_json("user").alias("raw"), "page")
clicks.select(
    F.from_json("raw", "id long, agent string").alias("u"), F.get_json_object("raw", "$.agent").alias("agent")
).select("u.id", "agent").write.parquet(f"{out}/r")
