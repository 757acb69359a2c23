"""Insert by position."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.sql("CREATE TABLE totals (customer BIGINT, total DOUBLE) USING parquet")
orders = spark.read.parquet(f"{data}/orders")
orders.groupBy("customer_id").agg(F.sum("amount").alias("whatever")).write.insertInto("totals")
