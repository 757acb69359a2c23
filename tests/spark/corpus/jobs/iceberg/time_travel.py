"""Read the first snapshot of a table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.amounts USING iceberg AS SELECT id, amount FROM orders")
[first] = spark.sql("SELECT snapshot_id FROM ice.corpus.amounts.snapshots").first()
spark.sql("DELETE FROM ice.corpus.amounts")
spark.sql(f"SELECT id, amount FROM ice.corpus.amounts VERSION AS OF {first}").write.parquet(f"{out}/by_sql")
