"""INSERT INTO and INSERT OVERWRITE."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts (id BIGINT, amount DOUBLE) USING iceberg")
spark.sql("INSERT INTO ice.corpus.amounts SELECT id, amount FROM orders")
spark.sql("INSERT OVERWRITE ice.corpus.amounts SELECT id, amount + 1 FROM ice.corpus.amounts WHERE id < 4")
