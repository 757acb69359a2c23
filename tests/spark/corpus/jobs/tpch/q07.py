"""Trade between two nations per year."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


sellers = table("nation").select(F.col("n_nationkey").alias("sell_key"), F.col("n_name").alias("supp_nation"))
buyers = table("nation").select(F.col("n_nationkey").alias("buy_key"), F.col("n_name").alias("cust_nation"))
pairs = sellers.crossJoin(buyers).where(
    "(supp_nation = 'FRANCE' AND cust_nation = 'GERMANY') OR (supp_nation = 'GERMANY' AND cust_nation = 'FRANCE')"
)
trade = (
    table("lineitem")
    .join(table("supplier"), F.col("l_suppkey") == F.col("s_suppkey"))
    .join(table("orders"), F.col("l_orderkey") == F.col("o_orderkey"))
    .join(table("customer"), F.col("o_custkey") == F.col("c_custkey"))
    .join(pairs, (F.col("s_nationkey") == F.col("sell_key")) & (F.col("c_nationkey") == F.col("buy_key")))
)
trade.groupBy("supp_nation", "cust_nation", F.year("l_shipdate").alias("l_year")).agg(
    F.sum(F.expr("l_extendedprice * (1 - l_discount)")).alias("revenue")
).write.parquet(f"{out}/q07")
