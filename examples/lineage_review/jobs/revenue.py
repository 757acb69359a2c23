"""Sum up the orders of each day and country."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as sql


def run(spark: SparkSession, lake: str) -> None:
    orders = spark.read.parquet(f"{lake}/curated/orders")
    customers = spark.read.parquet(f"{lake}/curated/customers")
    revenue = (
        orders.join(customers, "customer_id")
        .groupBy("day", "country")
        .agg(sql.sum("amount").alias("revenue"), sql.count_distinct("customer_key").alias("customers"))
    )
    revenue.write.parquet(f"{lake}/marts/revenue", mode="overwrite")
