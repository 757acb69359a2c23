"""Read the changes of a table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql(
    "CREATE TABLE amounts (id BIGINT, amount DOUBLE) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true)"
)
spark.sql("INSERT INTO amounts SELECT id, amount FROM orders")
spark.sql("UPDATE amounts SET amount = 0 WHERE id = 1")
changes = spark.read.option("readChangeFeed", "true").option("startingVersion", 1).table("amounts")
changes.selectExpr("id", "_change_type AS kind").write.parquet(f"{out}/changes")
