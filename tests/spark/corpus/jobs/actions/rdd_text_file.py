"""The RDD API reads text."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
counts = (
    spark.sparkContext.textFile(f"{data}/log.txt")
    .flatMap(str.split)
    .map(lambda word: (word, 1))
    .reduceByKey(lambda a, b: a + b)
)
spark.createDataFrame(counts, ["word", "count"]).write.parquet(f"{out}/words")
