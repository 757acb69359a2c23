"""Pricing summary: totals of shipped items per flag and status."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


items = table("lineitem").where(F.col("l_shipdate") <= "1998-09-02")
net = F.col("l_extendedprice") * (1 - F.col("l_discount"))
items.groupBy("l_returnflag", "l_linestatus").agg(
    F.sum("l_quantity").alias("sum_qty"),
    F.sum(net).alias("sum_disc_price"),
    F.sum(net * (1 + F.col("l_tax"))).alias("sum_charge"),
    F.avg("l_discount").alias("avg_disc"),
    F.count("*").alias("count_order"),
).orderBy("l_returnflag", "l_linestatus").write.parquet(f"{out}/q01")
