"""Most valuable stock of a nation."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


stock = (
    table("partsupp")
    .join(table("supplier"), F.col("ps_suppkey") == F.col("s_suppkey"))
    .join(table("nation").where("n_name = 'GERMANY'"), F.col("s_nationkey") == F.col("n_nationkey"))
    .withColumn("value", F.col("ps_supplycost") * F.col("ps_availqty"))
)
least = stock.agg((F.sum("value") * 0.0001).alias("least"))
stock.groupBy("ps_partkey").agg(F.sum("value").alias("value")).crossJoin(least).where("value > least").drop(
    "least"
).write.parquet(f"{out}/q11")
