"""Keep what analysts may see of customers."""

from pyspark.sql import SparkSession


def run(spark: SparkSession, lake: str) -> None:
    customers = spark.read.parquet(f"{lake}/raw/customers")
    known = customers.selectExpr("customer_id", "sha2(email, 256) AS customer_key", "country")
    known.write.parquet(f"{lake}/curated/customers", mode="overwrite")
