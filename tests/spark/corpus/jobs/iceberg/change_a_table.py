"""Add a column, rename one, drop the table."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts (id BIGINT, amount DOUBLE) USING iceberg")
spark.sql("ALTER TABLE ice.corpus.amounts ADD COLUMN note STRING")
spark.sql("ALTER TABLE ice.corpus.amounts RENAME COLUMN amount TO value")
spark.sql("INSERT INTO ice.corpus.amounts SELECT id, amount, status FROM orders")
spark.sql("CREATE TABLE ice.corpus.gone (id BIGINT) USING iceberg")
spark.sql("DROP TABLE ice.corpus.gone")
