"""Read the result of a query."""

import sys

from pyspark.sql import SparkSession

out = sys.argv[2]
database = sys.argv[3]
spark = SparkSession.builder.getOrCreate()
query = "SELECT COUNTRY, COUNT(*) AS N FROM CUSTOMERS GROUP BY COUNTRY"
spark.read.format("jdbc").option("url", database).option("query", query).load().write.parquet(
    f"{out}/countries"
)
