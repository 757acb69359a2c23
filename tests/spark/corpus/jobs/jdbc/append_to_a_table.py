"""Append to a table of a database."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
database = sys.argv[3]
spark = SparkSession.builder.getOrCreate()
customers = spark.read.parquet(f"{data}/customers").selectExpr(
    "int(id + 100) AS ID", "name AS NAME", "country AS COUNTRY"
)
customers.write.format("jdbc").option("url", database).option("dbtable", "CUSTOMERS").mode("append").save()
