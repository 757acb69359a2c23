"""Revenue lost by small discounts."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


items = (
    table("lineitem")
    .where("year(l_shipdate) = 1994")
    .where("l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24")
)
items.agg(F.sum(F.col("l_extendedprice") * F.col("l_discount")).alias("revenue")).write.parquet(f"{out}/q06")
