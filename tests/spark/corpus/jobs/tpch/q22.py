"""Customers with credit and without orders, by country code."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def views(*names):
    for name in names:
        spark.read.parquet(f"{data}/tpch/{name}").createOrReplaceTempView(name)


views("customer", "orders")
spark.sql("""
    WITH reachable AS (
        SELECT left(c_phone, 2) AS cntrycode, c_acctbal, c_custkey
        FROM customer WHERE left(c_phone, 2) IN ('13', '31', '23', '29'))
    SELECT cntrycode, count(1) AS numcust, sum(c_acctbal) AS totacctbal
    FROM reachable
    WHERE c_acctbal > (SELECT avg(c_acctbal) FROM reachable WHERE c_acctbal > 0)
      AND NOT EXISTS (SELECT * FROM orders WHERE o_custkey = c_custkey)
    GROUP BY cntrycode
""").write.parquet(f"{out}/q22")
