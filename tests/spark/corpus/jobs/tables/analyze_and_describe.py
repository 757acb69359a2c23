"""Statements about a table."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(3).write.saveAsTable("numbers")
spark.sql("ANALYZE TABLE numbers COMPUTE STATISTICS")
print(spark.sql("DESCRIBE TABLE numbers").count())
