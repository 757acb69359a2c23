"""Number of suppliers per kind of part."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


complaints = table("supplier").where("s_comment LIKE '%Customer%Complaints%'")
parts = table("part").where("p_brand <> 'Brand#45' AND p_size IN (1, 14, 49)")
table("partsupp").join(parts, F.col("p_partkey") == F.col("ps_partkey")).join(
    complaints, F.col("ps_suppkey") == F.col("s_suppkey"), "left_anti"
).groupBy("p_brand", "p_type", "p_size").agg(
    F.countDistinct("ps_suppkey").alias("supplier_cnt")
).write.parquet(f"{out}/q16")
