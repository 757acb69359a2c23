"""Suppliers with more stock than half of what they sold."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def views(*names):
    for name in names:
        spark.read.parquet(f"{data}/tpch/{name}").createOrReplaceTempView(name)


views("lineitem", "part", "partsupp", "supplier", "nation")
spark.sql("""
    SELECT s_name, s_address
    FROM supplier JOIN nation ON s_nationkey = n_nationkey
    WHERE n_name = 'CANADA' AND s_suppkey IN (
        SELECT ps_suppkey FROM partsupp
        WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE 'forest%')
          AND ps_availqty > (SELECT sum(l_quantity) / 2 FROM lineitem WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey))
""").write.parquet(f"{out}/q20")
