"""Statements without lineage."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sql("SET spark.sql.shuffle.partitions = 2")
print(spark.sql("SHOW TABLES").count())
