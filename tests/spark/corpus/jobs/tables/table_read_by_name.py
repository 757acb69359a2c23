"""Read a table of the catalog."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/customers").write.saveAsTable("people")
spark.read.table("people").groupBy("country").count().write.mode("overwrite").saveAsTable("people_by_country")
