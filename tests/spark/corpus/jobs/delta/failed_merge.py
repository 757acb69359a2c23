"""A MERGE in which two rows match the same row."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql(
    "CREATE TABLE amounts USING delta AS SELECT customer_id, max(amount) AS amount FROM orders GROUP BY 1"
)
spark.sql("""
    MERGE INTO amounts AS a USING orders AS o ON a.customer_id = o.customer_id
    WHEN MATCHED THEN UPDATE SET amount = o.amount
""")
