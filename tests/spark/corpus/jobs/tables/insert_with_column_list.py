"""INSERT with reordered columns."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts (id BIGINT, amount DOUBLE) USING parquet")
spark.sql("INSERT INTO amounts (amount, id) SELECT amount, id FROM orders")
