"""Fixtures: a dataset of orders, and a check that nothing was logged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

ORDERS = 100


@pytest.fixture(scope="session")
def orders_path(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a hundred orders."""
    path = str(tmp_path_factory.mktemp("automatic") / "orders")
    orders = spark.range(0, ORDERS, 1, 2).select(
        f.col("id").alias("order"),
        (f.col("id") % 7).cast("int").alias("day"),
        (f.col("id") * 0.5).alias("amount"),
    )
    orders.write.parquet(path)
    return path


@pytest.fixture
def without_gaps(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Verify that a test has logged nothing."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call")] == []
