"""A stream into a table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
stream = spark.readStream.schema("id long, amount double").parquet(f"{data}/orders")
stream.writeStream.option("checkpointLocation", f"{out}/checkpoint").trigger(availableNow=True).toTable(
    "streamed_orders"
).awaitTermination()
