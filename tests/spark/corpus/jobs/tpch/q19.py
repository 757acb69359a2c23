"""Revenue of parts by brand, container and quantity."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def table(name):
    return spark.read.parquet(f"{data}/tpch/{name}")


kinds = (
    "(p_brand = 'Brand#12' AND p_container LIKE 'SM%' AND l_quantity BETWEEN 1 AND 11)"
    " OR (p_brand = 'Brand#23' AND p_container LIKE 'MED%' AND l_quantity BETWEEN 10 AND 20)"
)
table("lineitem").where("l_shipmode IN ('AIR', 'AIR REG')").join(
    table("part"), F.col("p_partkey") == F.col("l_partkey")
).where(kinds).agg(F.sum(F.expr("l_extendedprice * (1 - l_discount)")).alias("revenue")).write.parquet(
    f"{out}/q19"
)
