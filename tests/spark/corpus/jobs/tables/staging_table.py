"""A staging table that is dropped after it was read."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders").where("amount > 0")
orders.select("customer_id", "amount").write.saveAsTable("staging")
totals = spark.table("staging").groupBy("customer_id").agg(F.sum("amount").alias("total"))
totals.write.parquet(f"{out}/totals")
spark.sql("DROP TABLE staging")
