"""Cheapest supplier of each part in a region."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


european = (
    table("region")
    .where("r_name = 'EUROPE'")
    .join(table("nation"), F.col("r_regionkey") == F.col("n_regionkey"))
    .join(table("supplier"), F.col("n_nationkey") == F.col("s_nationkey"))
    .join(table("partsupp"), F.col("s_suppkey") == F.col("ps_suppkey"))
)
cheapest = european.groupBy(F.col("ps_partkey").alias("min_partkey")).agg(
    F.min("ps_supplycost").alias("min_cost")
)
parts = table("part").where("p_size = 15 AND p_type LIKE '%BRASS'")
parts.join(european, F.col("p_partkey") == F.col("ps_partkey")).join(
    cheapest, (F.col("p_partkey") == F.col("min_partkey")) & (F.col("ps_supplycost") == F.col("min_cost"))
).orderBy(F.desc("s_acctbal"), "n_name").select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr").limit(
    100
).write.parquet(f"{out}/q02")
