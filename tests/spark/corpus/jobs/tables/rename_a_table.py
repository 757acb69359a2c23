"""Rename a table."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(3).write.saveAsTable("numbers")
spark.sql("ALTER TABLE numbers RENAME TO renamed_numbers")
