"""The v2 writer creates a partitioned table."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").select("status", "day", "id")
orders.writeTo("by_status").using("parquet").partitionedBy(F.col("status")).create()
