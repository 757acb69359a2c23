"""Revenue of small quantities of a part."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def views(*names):
    for name in names:
        spark.read.parquet(f"{data}/tpch/{name}").createOrReplaceTempView(name)


views("lineitem", "part")
spark.sql("""
    SELECT sum(l_extendedprice) / 7 AS avg_yearly
    FROM lineitem JOIN part ON l_partkey = p_partkey
    WHERE p_brand = 'Brand#23'
      AND l_quantity < (SELECT avg(other.l_quantity) / 5 FROM lineitem other WHERE other.l_partkey = p_partkey)
""").write.parquet(f"{out}/q17")
