"""Revenue between customers and suppliers of the same nation."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


asian = (
    table("region")
    .where("r_name = 'ASIA'")
    .join(table("nation"), F.col("r_regionkey") == F.col("n_regionkey"))
)
suppliers = asian.join(table("supplier"), F.col("n_nationkey") == F.col("s_nationkey"))
sold = table("lineitem").join(suppliers, F.col("l_suppkey") == F.col("s_suppkey"))
sold.join(table("orders").where("year(o_orderdate) = 1994"), F.col("l_orderkey") == F.col("o_orderkey")).join(
    table("customer"),
    (F.col("o_custkey") == F.col("c_custkey")) & (F.col("c_nationkey") == F.col("s_nationkey")),
).groupBy("n_name").agg(F.sum(F.expr("l_extendedprice * (1 - l_discount)")).alias("revenue")).write.parquet(
    f"{out}/q05"
)
