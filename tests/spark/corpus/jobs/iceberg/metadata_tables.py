"""Look at the files of a table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts USING iceberg AS SELECT id, amount FROM orders")
files = spark.sql("SELECT file_format, record_count FROM ice.corpus.amounts.files")
files.write.parquet(f"{out}/files")
