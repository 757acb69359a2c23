"""Fixtures for SparkRun: a run of explicit calls, and a dataset of orders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import Events


@pytest.fixture
def run(spark: SparkSession, events: Events) -> Iterator[SparkRun]:
    """Return a started run of explicit calls, so that tests can prepare data in it; it raises errors."""
    with SparkRun(spark, "etl", "orders.daily", emit=events, on_error="raise", capture=False) as run:
        yield run
