"""Keep the orders that are paid."""

from pyspark.sql import SparkSession


def run(spark: SparkSession, lake: str) -> None:
    orders = spark.read.parquet(f"{lake}/raw/orders")
    paid = orders.where("status = 'paid'")
    paid.select("order_id", "customer_id", "day", "amount").write.parquet(
        f"{lake}/curated/orders", mode="overwrite"
    )
