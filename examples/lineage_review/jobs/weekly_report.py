"""Report the revenue of each week."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as sql


def run(spark: SparkSession, lake: str) -> None:
    revenue = spark.read.parquet(f"{lake}/marts/revenue")
    weekly = revenue.groupBy(sql.weekofyear("day").alias("week")).agg(sql.sum("revenue").alias("revenue"))
    weekly.write.parquet(f"{lake}/reports/weekly", mode="overwrite")
