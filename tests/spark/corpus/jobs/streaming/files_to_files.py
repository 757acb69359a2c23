"""A stream of files until it has caught up."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
stream = spark.readStream.schema("id long, amount double, status string").parquet(f"{data}/orders")
query = (
    stream.where("amount > 10")
    .writeStream.format("parquet")
    .option("checkpointLocation", f"{out}/checkpoint")
    .trigger(availableNow=True)
    .start(f"{out}/stream")
)
query.awaitTermination()
