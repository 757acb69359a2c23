"""A stream of files into a Delta table."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
stream = spark.readStream.schema("id long, amount double").parquet(f"{data}/orders")
writer = stream.writeStream.format("delta").option("checkpointLocation", f"{out}/checkpoint")
writer.trigger(availableNow=True).toTable("streamed").awaitTermination()
