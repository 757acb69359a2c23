"""Fixtures for SparkRun: a run of explicit calls, and a dataset of orders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import Events

ORDERS = 1000


@pytest.fixture
def run(spark: SparkSession, events: Events) -> Iterator[SparkRun]:
    """Return a started run of explicit calls, so that tests can prepare data in it; it raises errors."""
    with SparkRun(spark, "etl", "orders.daily", emit=events, on_error="raise", capture=False) as run:
        yield run


@pytest.fixture(scope="session")
def orders_path(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a thousand orders in two Parquet files."""
    path = str(tmp_path_factory.mktemp("orders") / "orders")
    orders = spark.range(0, ORDERS, 1, 2).select(
        f.col("id").alias("order"),
        (f.col("id") % 7).cast("int").alias("day"),
        f.when(f.col("id") % 10 > 0, f.col("id") * 0.5).alias("amount"),
        f.concat(f.lit("customer "), f.col("id") % 20).alias("customer"),
    )
    orders.write.parquet(path)
    return path
