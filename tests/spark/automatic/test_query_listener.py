"""A listener keeps no session in memory."""

from __future__ import annotations

import gc
import time
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.automatic import automatic_capture
from openlineage_facets.spark.automatic.query_listener import _PRUNED_FROM
from tests.spark.etl_job import EtlJob

LISTENERS = automatic_capture._listener, automatic_capture.started_streams


@pytest.mark.thorough
def test_sessions_that_the_job_no_longer_uses_are_not_kept_until_the_run_ends(etl: EtlJob) -> None:
    with etl.run("requests"):
        used = etl.spark.newSession()
        for _ in range(_PRUNED_FROM - 3):
            etl.spark.newSession()
        wait_until_sessions_are_collected(etl.spark)
        etl.spark.newSession()
        registered = [len(listener._registered) for listener in LISTENERS]
        used.read.parquet(etl.orders_path).count()
    assert max(registered) < _PRUNED_FROM / 2
    assert [len(listener._registered) for listener in LISTENERS] == [0, 0]
    assert etl.events.inputs == [etl.orders_path]
    java: Any = used._jsparkSession
    assert [*java.listenerManager().listListeners()] == [*java.streams().listListeners()] == []


def wait_until_sessions_are_collected(spark: SparkSession) -> None:
    """Wait until most sessions are gone: Py4J releases objects of the JVM in a thread of its own."""
    context: Any = spark.sparkContext
    deadline = time.monotonic() + 60
    while needed() > _PRUNED_FROM / 2 - 2 and time.monotonic() < deadline:
        gc.collect()
        context._jvm.java.lang.System.gc()
        time.sleep(0.05)


def needed() -> int:
    """Return for how many sessions the listeners are needed."""
    return max(
        sum(registration.is_needed for registration in listener._registered.values())
        for listener in LISTENERS
    )
