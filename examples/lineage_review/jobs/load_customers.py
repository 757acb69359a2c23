"""Load the customers that the shop delivers as CSV."""

from pyspark.sql import SparkSession

SCHEMA = "customer_id bigint, email string, country string"


def run(spark: SparkSession, lake: str) -> None:
    customers = spark.read.csv(f"{lake}/landing/customers.csv", schema=SCHEMA, header=True)
    customers.write.parquet(f"{lake}/raw/customers", mode="overwrite")
