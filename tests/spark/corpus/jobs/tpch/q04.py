"""Orders of a quarter with a late item, per priority."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def views(*names):
    for name in names:
        spark.read.parquet(f"{data}/tpch/{name}").createOrReplaceTempView(name)


views("orders", "lineitem")
spark.sql("""
    SELECT o_orderpriority AS priority, count(1) AS late_orders
    FROM orders
    WHERE o_orderdate BETWEEN DATE'1993-07-01' AND DATE'1993-09-30'
      AND EXISTS (SELECT * FROM lineitem WHERE l_commitdate < l_receiptdate AND l_orderkey = o_orderkey)
    GROUP BY o_orderpriority
""").write.parquet(f"{out}/q04")
