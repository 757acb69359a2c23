"""Customers who returned items."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


returned = table("lineitem").where("l_returnflag = 'R'")
(
    table("customer")
    .join(table("orders").where("o_orderdate >= DATE'1993-10-01'"), F.col("c_custkey") == F.col("o_custkey"))
    .join(returned, F.col("o_orderkey") == F.col("l_orderkey"))
    .join(table("nation"), F.col("c_nationkey") == F.col("n_nationkey"))
    .groupBy("c_custkey", "c_name", "c_acctbal", "n_name", "c_phone")
    .agg(F.sum(F.expr("l_extendedprice * (1 - l_discount)")).alias("revenue"))
    .orderBy(F.desc("revenue"))
    .limit(20)
    .write.parquet(f"{out}/q10")
)
