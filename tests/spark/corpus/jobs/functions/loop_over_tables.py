"""The same step for several tables."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
for name in ("orders", "customers", "archived_orders"):
    frame = spark.read.parquet(f"{data}/{name}")
    frame.select([F.col(column).alias(column.upper()) for column in frame.columns]).write.parquet(
        f"{out}/{name}"
    )
