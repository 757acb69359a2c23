"""Rewrite data files, expire snapshots, roll back."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts USING iceberg AS SELECT id, amount FROM orders")
[first] = spark.sql("SELECT snapshot_id FROM ice.corpus.amounts.snapshots").first()
spark.sql("INSERT INTO ice.corpus.amounts SELECT id, amount FROM orders")
spark.sql(f"CALL ice.system.rollback_to_snapshot('corpus.amounts', {first})")
spark.sql("CALL ice.system.rewrite_data_files(table => 'corpus.amounts')")
spark.sql("CALL ice.system.expire_snapshots(table => 'corpus.amounts', retain_last => 1)")
