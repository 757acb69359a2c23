"""Cut the plan with a local checkpoint."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").withColumn("gross", F.col("amount") * 1.19).localCheckpoint()
orders.select("id", "gross").write.parquet(f"{out}/gross")
