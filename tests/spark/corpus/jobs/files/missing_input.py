"""A job whose input does not exist."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/no_such_folder").write.parquet(f"{out}/copy")
