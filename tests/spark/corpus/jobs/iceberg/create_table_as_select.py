"""CREATE TABLE AS SELECT, then replace it."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql(
    "CREATE TABLE ice.corpus.totals USING iceberg AS SELECT customer_id, sum(amount) AS total FROM orders GROUP BY 1"
)
spark.sql(
    "CREATE OR REPLACE TABLE ice.corpus.totals USING iceberg AS SELECT customer_id, max(amount) AS most FROM orders GROUP BY 1"
)
