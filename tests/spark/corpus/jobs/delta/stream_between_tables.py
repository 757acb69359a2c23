"""A stream from one Delta table to another."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").write.format("delta").save(f"{out}/source")
stream = spark.readStream.format("delta").load(f"{out}/source").where("amount > 10")
query = (
    stream.writeStream.format("delta")
    .option("checkpointLocation", f"{out}/checkpoint")
    .trigger(availableNow=True)
    .start(f"{out}/target")
)
query.awaitTermination()
