"""Print the best customers."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
for row in (
    orders.groupBy("customer_id").agg(F.sum("amount").alias("amount")).orderBy(F.desc("amount")).take(3)
):
    print(row.customer_id, row.amount)
