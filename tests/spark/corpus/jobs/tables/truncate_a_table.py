"""Empty a table."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.range(3).write.saveAsTable("numbers")
spark.sql("TRUNCATE TABLE numbers")
