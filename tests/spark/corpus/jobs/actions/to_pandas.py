"""Continue in pandas."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
frame = spark.read.parquet(f"{data}/orders").groupBy("status").count().toPandas()
frame.to_csv(f"{out}/status.csv", index=False)
