"""Separate valid and corrupt JSON lines."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
schema = "page string, ts string, _corrupt_record string"
clicks = spark.read.schema(schema).json(f"{data}/broken.json").cache()
clicks.where("_corrupt_record IS NULL").drop("_corrupt_record").write.json(f"{out}/valid")
clicks.where("_corrupt_record IS NOT NULL").select("_corrupt_record").write.json(f"{out}/corrupt")
