"""Customers with large orders."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


large = (
    table("lineitem").groupBy("l_orderkey").agg(F.sum("l_quantity").alias("quantity")).where("quantity > 30")
)
table("orders").join(large, F.col("o_orderkey") == F.col("l_orderkey")).join(
    table("customer"), F.col("o_custkey") == F.col("c_custkey")
).select("c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice", "quantity").orderBy(
    F.desc("o_totalprice")
).limit(100).write.parquet(f"{out}/q18")
