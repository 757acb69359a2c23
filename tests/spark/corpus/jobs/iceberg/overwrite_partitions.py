"""Replace only the partitions that are written."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

amounts = orders.select("id", "status", "amount")
amounts.writeTo("ice.corpus.amounts").partitionedBy("status").create()
amounts.where("status = 'open' AND id > 5").writeTo("ice.corpus.amounts").overwritePartitions()
