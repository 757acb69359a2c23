"""Sessions of clicks with a gap of 30 minutes."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
clicks = spark.read.json(f"{data}/clicks.json").withColumn("at", F.to_timestamp("ts"))
clicks.groupBy("user.id", F.session_window("at", "30 minutes")).count().select("id", "count").write.parquet(
    f"{out}/r"
)
