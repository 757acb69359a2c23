"""Change the schema of a table."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(3).write.saveAsTable("numbers")
spark.sql("ALTER TABLE numbers ADD COLUMNS (note STRING)")
