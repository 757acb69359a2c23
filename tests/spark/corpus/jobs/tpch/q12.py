"""Priority of late items by ship mode."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


late = table("lineitem").where(
    "l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate"
)
urgent = F.col("o_orderpriority").isin("1-URGENT", "2-HIGH")
late.join(table("orders"), F.col("l_orderkey") == F.col("o_orderkey")).groupBy("l_shipmode").agg(
    F.sum(F.when(urgent, 1).otherwise(0)).alias("high_line_count"),
    F.sum(F.when(~urgent, 1).otherwise(0)).alias("low_line_count"),
).write.parquet(f"{out}/q12")
