"""The word count every tutorial starts with."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
lines = spark.read.text(f"{data}/log.txt")
words = lines.select(F.explode(F.split("value", r"\s+")).alias("word"))
words.groupBy("word").count().orderBy(F.desc("count")).write.csv(f"{out}/words")
