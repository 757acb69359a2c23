"""A pandas frame as input."""

import sys

import pandas
from pyspark.sql import SparkSession

out = sys.argv[2]
spark = SparkSession.builder.getOrCreate()
spark.createDataFrame(pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]})).write.parquet(f"{out}/frame")
