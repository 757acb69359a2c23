"""INSERT OVERWRITE in SQL."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE latest USING parquet AS SELECT max(day) AS day FROM orders")
spark.sql("INSERT OVERWRITE latest SELECT max(day) FROM orders WHERE status = 'shipped'")
