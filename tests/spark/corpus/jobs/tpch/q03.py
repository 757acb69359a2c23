"""Unshipped orders with the highest revenue."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


buyers = table("customer").where("c_mktsegment = 'BUILDING'")
orders = table("orders").where("o_orderdate < DATE'1995-03-15'")
items = table("lineitem").where("l_shipdate > DATE'1995-03-15'")
buyers.join(orders, F.col("c_custkey") == F.col("o_custkey")).join(
    items, F.col("o_orderkey") == F.col("l_orderkey")
).groupBy("l_orderkey", "o_orderdate", "o_shippriority").agg(
    F.sum(F.expr("l_extendedprice * (1 - l_discount)")).alias("revenue")
).orderBy(F.desc("revenue")).limit(10).write.parquet(f"{out}/q03")
