"""An INSERT whose columns are in another order than those of the table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts (id BIGINT, amount DOUBLE, day DATE) USING parquet")
spark.sql(
    "INSERT INTO amounts BY NAME SELECT day, amount * 2 AS amount, id FROM orders WHERE status = 'open'"
)
