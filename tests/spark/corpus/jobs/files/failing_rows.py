"""A job that fails while it writes."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.select(F.expr("assert_true(amount < 0)"), "id").write.parquet(f"{out}/checked")
