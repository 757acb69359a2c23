"""Replace only the partitions that are written."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")
orders.write.partitionBy("status").parquet(f"{out}/orders")
orders.where("status = 'open'").write.option("partitionOverwriteMode", "dynamic").mode(
    "overwrite"
).partitionBy("status").parquet(f"{out}/orders")
