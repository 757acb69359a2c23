"""Read an old version of a table by SQL."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE amounts USING delta AS SELECT id, amount FROM orders")
spark.sql("DELETE FROM amounts")
spark.sql("SELECT id, amount FROM amounts VERSION AS OF 0").write.parquet(f"{out}/restored")
