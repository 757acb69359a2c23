"""Distribution of the number of orders per customer."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


orders = table("orders").where("o_comment NOT LIKE '%special%requests%'")
per_customer = (
    table("customer")
    .join(orders, F.col("c_custkey") == F.col("o_custkey"), "left")
    .groupBy("c_custkey")
    .agg(F.count("o_orderkey").alias("c_count"))
)
per_customer.groupBy("c_count").agg(F.count("*").alias("custdist")).orderBy(F.desc("custdist")).write.parquet(
    f"{out}/q13"
)
