"""Validate and fold the events in a Kafka topic: `fold_topic.py ADDRESS TOPIC FOLDER EVENTS_IN_A_BATCH`."""

import sys

from pyspark.sql import SparkSession

from openlineage_facets.spark.archives import fold_stream

address, topic, folder, limit = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
events = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", address)
    .option("subscribe", topic)
    .option("startingOffsets", "earliest")
    .option("maxOffsetsPerTrigger", limit)
    .load()
)
fold_stream(events, folder).awaitTermination()
