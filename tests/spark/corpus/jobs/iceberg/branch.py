"""Write to a branch, and read it."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts USING iceberg AS SELECT id, amount FROM orders WHERE id < 4")
spark.sql("ALTER TABLE ice.corpus.amounts CREATE BRANCH next")
spark.sql("INSERT INTO ice.corpus.amounts.branch_next SELECT id, amount FROM orders WHERE id >= 4")
spark.sql("SELECT id FROM ice.corpus.amounts VERSION AS OF 'next'").write.parquet(f"{out}/next")
