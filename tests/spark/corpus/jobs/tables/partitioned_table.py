"""A table partitioned by a column."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.write.partitionBy("status").format("parquet").saveAsTable("orders_by_status")
spark.table("orders_by_status").where("status = 'open'").write.parquet(f"{out}/open")
