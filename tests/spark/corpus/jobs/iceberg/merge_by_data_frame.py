"""Upsert archived orders with the merge of DataFrames."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
orders = spark.read.parquet(f"{data}/orders")

orders.select("id", "amount").writeTo("ice.corpus.amounts").create()
archived = spark.read.parquet(f"{data}/archived_orders").selectExpr("id", "amount * 2 AS amount").alias("s")
merge = archived.mergeInto("ice.corpus.amounts", expr("ice.corpus.amounts.id = s.id"))
merge.whenMatched().updateAll().whenNotMatched().insertAll().merge()
