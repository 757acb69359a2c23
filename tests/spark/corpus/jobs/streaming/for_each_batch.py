"""Each batch is written by a function."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


def write_batch(batch, number):
    batch.groupBy("status").count().write.mode("append").parquet(f"{out}/counts")


stream = spark.readStream.schema("id long, status string").parquet(f"{data}/orders")
stream.writeStream.foreachBatch(write_batch).option("checkpointLocation", f"{out}/checkpoint").trigger(
    availableNow=True
).start().awaitTermination()
