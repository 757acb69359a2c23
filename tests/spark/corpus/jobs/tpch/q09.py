"""Profit per nation and year."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


profit = F.expr("l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity")
(
    table("lineitem")
    .join(table("part").where("p_name LIKE '%green%'"), F.col("l_partkey") == F.col("p_partkey"))
    .join(
        table("partsupp"),
        (F.col("ps_partkey") == F.col("l_partkey")) & (F.col("ps_suppkey") == F.col("l_suppkey")),
    )
    .join(table("supplier"), F.col("l_suppkey") == F.col("s_suppkey"))
    .join(table("nation"), F.col("s_nationkey") == F.col("n_nationkey"))
    .join(table("orders"), F.col("l_orderkey") == F.col("o_orderkey"))
    .groupBy(F.col("n_name").alias("nation"), F.year("o_orderdate").alias("o_year"))
    .agg(F.sum(profit).alias("sum_profit"))
    .write.parquet(f"{out}/q09")
)
