"""DDL only."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sql("CREATE TABLE notes (id BIGINT, note STRING) USING parquet")
