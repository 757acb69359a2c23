"""INSERT INTO with a list of columns."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE shipped (id BIGINT, customer BIGINT, amount DOUBLE) USING delta")
spark.sql(
    "INSERT INTO shipped (amount, id, customer) SELECT amount, id, customer_id FROM orders WHERE status = 'shipped'"
)
