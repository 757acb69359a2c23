"""The names of the DataFrame do not matter when inserting."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.sql("CREATE TABLE pairs (a DOUBLE, b DOUBLE) USING parquet")
orders = spark.read.parquet(f"{data}/orders")
orders.selectExpr("amount AS b", "double(id) AS a").write.insertInto("pairs")
