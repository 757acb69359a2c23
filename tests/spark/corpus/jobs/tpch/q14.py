"""Share of promotions in the revenue of a month."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


volume = F.expr("l_extendedprice * (1 - l_discount)")
month = table("lineitem").where("date_trunc('month', l_shipdate) = DATE'1995-09-01'")
promoted = F.when(F.col("p_type").startswith("PROMO"), volume).otherwise(0.0)
month.join(table("part"), F.col("l_partkey") == F.col("p_partkey")).agg(
    (100 * F.sum(promoted) / F.sum(volume)).alias("promo_revenue")
).write.parquet(f"{out}/q14")
