"""Replace the content of a table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.sql("CREATE TABLE ids (id BIGINT) USING parquet")
customers = spark.read.parquet(f"{data}/customers").select("id")
customers.write.insertInto("ids")
customers.where("id < 3").write.insertInto("ids", overwrite=True)
