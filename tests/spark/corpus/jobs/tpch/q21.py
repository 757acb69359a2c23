"""Suppliers who alone delayed an order."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def views(*names):
    for name in names:
        spark.read.parquet(f"{data}/tpch/{name}").createOrReplaceTempView(name)


views("supplier", "lineitem", "orders", "nation")
spark.sql("""
    SELECT s_name, count(1) AS numwait
    FROM supplier
    JOIN lineitem mine ON s_suppkey = mine.l_suppkey AND mine.l_receiptdate > mine.l_commitdate
    JOIN orders ON o_orderkey = mine.l_orderkey AND o_orderstatus = 'F'
    JOIN nation ON s_nationkey = n_nationkey AND n_name = 'SAUDI ARABIA'
    WHERE EXISTS (
            SELECT * FROM lineitem other WHERE other.l_orderkey = mine.l_orderkey AND other.l_suppkey <> mine.l_suppkey)
      AND NOT EXISTS (
            SELECT * FROM lineitem late
            WHERE late.l_orderkey = mine.l_orderkey AND late.l_suppkey <> mine.l_suppkey
              AND late.l_receiptdate > late.l_commitdate)
    GROUP BY s_name
""").write.parquet(f"{out}/q21")
