"""CREATE TABLE AS SELECT, then replace it."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql(
    "CREATE TABLE totals USING delta AS SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id"
)
spark.sql(
    "CREATE OR REPLACE TABLE totals USING delta AS SELECT customer_id, max(amount) AS most FROM orders GROUP BY 1"
)
