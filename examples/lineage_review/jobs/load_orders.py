"""Load the orders that the shop delivers as CSV."""

from pyspark.sql import SparkSession

SCHEMA = "order_id bigint, customer_id bigint, day date, amount double, status string"


def run(spark: SparkSession, lake: str) -> None:
    orders = spark.read.csv(f"{lake}/landing/orders.csv", schema=SCHEMA, header=True)
    orders.write.parquet(f"{lake}/raw/orders", mode="overwrite")
