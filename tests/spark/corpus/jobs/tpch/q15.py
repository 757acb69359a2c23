"""The supplier with the highest revenue."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


revenue = (
    table("lineitem")
    .where("l_shipdate >= DATE'1996-01-01'")
    .groupBy(F.col("l_suppkey").alias("supplier_no"))
    .agg(F.sum(F.expr("l_extendedprice * (1 - l_discount)")).alias("total_revenue"))
)
best = revenue.agg(F.max("total_revenue").alias("best"))
table("supplier").join(revenue, F.col("s_suppkey") == F.col("supplier_no")).join(
    best, F.col("total_revenue") == F.col("best")
).select("s_suppkey", "s_name", "total_revenue").write.parquet(f"{out}/q15")
