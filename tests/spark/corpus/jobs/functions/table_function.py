"""A table function in Python."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import udtf

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()


@udtf(returnType="word string, length int")
class Words:
    def eval(self, text: str):
        for word in text.split():
            yield word, len(word)


spark.udtf.register("words", Words)
spark.read.parquet(f"{data}/customers").createOrReplaceTempView("customers")
spark.sql("SELECT c.id, w.word, w.length FROM customers c, LATERAL words(c.name) w").write.parquet(f"{out}/r")
