"""A stream for a look at the data."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
stream = spark.readStream.schema("id long, status string").parquet(f"{data}/orders")
query = (
    stream.groupBy("status").count().writeStream.format("memory").queryName("statuses").outputMode("complete")
)
query.trigger(availableNow=True).start().awaitTermination()
print(spark.table("statuses").count())
