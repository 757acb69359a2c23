"""The generic writer with options."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.format("parquet").load(f"{data}/orders")
orders.write.format("orc").option("compression", "zlib").mode("overwrite").save(f"{out}/orders")
