"""Market share of a nation per year."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


volume = F.expr("l_extendedprice * (1 - l_discount)")
american = (
    table("region")
    .where("r_name = 'AMERICA'")
    .join(table("nation"), F.col("r_regionkey") == F.col("n_regionkey"))
)
origin = table("nation").select(F.col("n_nationkey").alias("origin_key"), F.col("n_name").alias("origin"))
sales = (
    table("lineitem")
    .join(table("part").where("p_type = 'ECONOMY ANODIZED STEEL'"), F.col("l_partkey") == F.col("p_partkey"))
    .join(table("supplier"), F.col("l_suppkey") == F.col("s_suppkey"))
    .join(origin, F.col("s_nationkey") == F.col("origin_key"))
    .join(table("orders"), F.col("l_orderkey") == F.col("o_orderkey"))
    .join(table("customer"), F.col("o_custkey") == F.col("c_custkey"))
    .join(american, F.col("c_nationkey") == F.col("n_nationkey"))
)
brazil = F.when(F.col("origin") == "BRAZIL", volume).otherwise(0.0)
sales.groupBy(F.year("o_orderdate").alias("o_year")).agg(
    (F.sum(brazil) / F.sum(volume)).alias("mkt_share")
).write.parquet(f"{out}/q08")
