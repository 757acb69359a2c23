"""Create and drop."""

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
spark.sql("CREATE TABLE scratch (id BIGINT) USING parquet")
spark.sql("DROP TABLE scratch")
