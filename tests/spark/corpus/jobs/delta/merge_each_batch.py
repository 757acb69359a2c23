"""Upsert each batch of a stream with Delta's API."""

import sys

from delta.tables import DeltaTable
from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.where("id < 5").select("id", "amount").write.format("delta").save(f"{out}/amounts")


def upsert(batch, number):
    table = DeltaTable.forPath(spark, f"{out}/amounts")
    merge = table.alias("a").merge(batch.alias("s"), "a.id = s.id")
    merge.whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()


stream = spark.readStream.schema("id long, amount double").parquet(f"{data}/orders")
writer = stream.writeStream.foreachBatch(upsert).option("checkpointLocation", f"{out}/checkpoint")
writer.trigger(availableNow=True).start().awaitTermination()
