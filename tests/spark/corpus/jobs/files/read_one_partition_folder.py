"""Read one partition by its path, with a base path."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
visits = spark.read.option("basePath", f"{data}/visits").parquet(f"{data}/visits/country=de")
visits.write.parquet(f"{out}/german_visits")
