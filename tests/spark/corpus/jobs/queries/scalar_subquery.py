"""Compare with the mean."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("SELECT id FROM orders WHERE amount > (SELECT avg(amount) FROM orders)").write.parquet(f"{out}/r")
