"""The number of connections with which the JVM calls Python does not depend on the number of runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import psutil
import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob

CLOSING = 4
"""How many connections may still be open because their threads have just ended."""


def in_use(spark: SparkSession) -> tuple[int, int, int]:
    """Return the numbers of threads and sockets of Python, and of sockets of the JVM."""
    java = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()  # type: ignore[union-attr]
    sockets = (len(psutil.Process(process).net_connections("tcp")) for process in (None, java))
    return threading.active_count(), *sockets  # type: ignore[return-value]


def added(spark: SparkSession, job: Callable[[], None], times: int) -> int:
    """Return how many threads or sockets executions of a job have added, after the first one."""
    job()
    before = in_use(spark)
    for _ in range(times):
        job()
    return max(after - earlier for after, earlier in zip(in_use(spark), before, strict=True))


def run_of(spark: SparkSession, name: str = "repeated") -> SparkRun:
    return SparkRun(spark, "etl", name, emit=lambda event: None, on_error="raise")


@pytest.mark.parametrize(
    "runs", [pytest.param(10, marks=pytest.mark.check), pytest.param(500, marks=pytest.mark.thorough)]
)
def test_runs_leave_no_threads_and_no_sockets(spark: SparkSession, runs: int) -> None:
    def job() -> None:
        with run_of(spark):
            spark.range(3).collect()

    assert added(spark, job, runs) <= CLOSING


@pytest.mark.thorough
@pytest.mark.check
def test_nested_runs_and_runs_in_threads_leave_none(spark: SparkSession) -> None:
    def inner(name: str) -> None:
        with run_of(spark, name):
            spark.range(3).collect()

    def job() -> None:
        with run_of(spark), ThreadPoolExecutor(2) as threads:
            inner("nested")
            for number in range(2):
                threads.submit(copy_context().run, inner, f"thread {number}")

    assert added(spark, job, 4) <= CLOSING


@pytest.mark.thorough
@pytest.mark.check
def test_streams_leave_none_and_their_functions_are_called(etl: EtlJob) -> None:
    counts: list[int] = []

    def write(df: DataFrame, number: int) -> None:
        counts.append(df.count())

    def job() -> None:
        stream = etl.spark.readStream.schema(etl.orders.schema).parquet(etl.orders_path)
        with run_of(etl.spark):
            query = stream.writeStream.foreachBatch(write).trigger(availableNow=True).start()
            assert query.awaitTermination(60)

    assert added(etl.spark, job, 6) <= CLOSING
    assert counts == [etl.orders.count()] * 7
