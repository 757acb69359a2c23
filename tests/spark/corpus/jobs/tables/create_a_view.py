"""A permanent view on a table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").write.saveAsTable("all_orders")
spark.sql("CREATE VIEW open_orders AS SELECT id, amount FROM all_orders WHERE status = 'open'")
spark.table("open_orders").write.parquet(f"{out}/open")
