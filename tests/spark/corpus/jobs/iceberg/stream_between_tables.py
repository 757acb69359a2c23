"""A stream from one Iceberg table to another."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE ice.corpus.source USING iceberg AS SELECT id, amount FROM orders")
spark.sql("CREATE TABLE ice.corpus.target (id BIGINT, amount DOUBLE) USING iceberg")
writer = spark.readStream.table("ice.corpus.source").where("amount > 10").writeStream
writer = writer.format("iceberg").option("checkpointLocation", f"{out}/checkpoint").trigger(availableNow=True)
writer.toTable("ice.corpus.target").awaitTermination()
