"""Upsert archived orders by MERGE."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.read.parquet(f"{data}/archived_orders").createOrReplaceTempView("archived")

spark.sql("CREATE TABLE amounts USING delta AS SELECT id, amount, status FROM orders")
spark.sql("""
    MERGE INTO amounts AS a USING (SELECT id, amount, status FROM archived) AS s ON a.id = s.id
    WHEN MATCHED AND s.status = 'closed' THEN DELETE
    WHEN MATCHED THEN UPDATE SET a.amount = a.amount + s.amount
    WHEN NOT MATCHED THEN INSERT *
""")
