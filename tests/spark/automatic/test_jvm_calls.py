"""The cost of capture: how often a write calls the JVM, which does not depend on the load of the machine."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from py4j.clientserver import ClientServerConnection  # type: ignore[import-untyped,unused-ignore]
from py4j.finalizer import ThreadSafeFinalizer  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import SparkRun
from tests.spark.etl_job import EtlJob

pytestmark = pytest.mark.thorough

WRITES = 4
"""The fewest calls of several writes count: a write looks again for metrics that Spark has not aggregated."""


@contextmanager
def counted_calls() -> Iterator[list[str]]:
    """Collect the commands that the current thread sends to the JVM."""
    original = ClientServerConnection.send_command
    job, commands = threading.current_thread(), list[str]()

    def send(connection: Any, command: str) -> Any:
        if threading.current_thread() is job:
            commands.append(command)
        return original(connection, command)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientServerConnection, "send_command", send)
        yield commands


def calls_of(write: Callable[[int], None], first: int) -> int:
    """Return how many calls a write takes."""
    write(first)  # Fill the caches.
    counts = []
    for number in range(first + 1, first + 1 + WRITES):
        with counted_calls() as calls:
            write(number)
        counts.append(len(calls))
    return min(counts)


def added_calls(spark: SparkSession, write: Callable[[int], None]) -> int:
    """Return how many calls capture adds to a write in the thread of the job."""
    without = calls_of(write, 0)
    with SparkRun(spark, "etl", "cost", emit=lambda event: None):
        return calls_of(write, 100) - without


def test_a_write_of_files(spark: SparkSession, orders: DataFrame, tmp_path: Path) -> None:
    daily = orders.groupBy("day").agg(f.sum("amount").alias("amount"))
    added = added_calls(spark, lambda number: daily.write.parquet(f"{tmp_path}/daily{number}"))
    assert 0 < added <= 85


def test_an_append_with_options(spark: SparkSession, orders: DataFrame, tmp_path: Path) -> None:
    def write(number: int) -> None:
        writer = orders.write.mode("append").format("csv").option("header", True)
        writer.partitionBy("day").save(f"{tmp_path}/orders")

    assert 0 < added_calls(spark, write) <= 90


def test_a_join_reads_each_source_once(etl: EtlJob) -> None:
    joined = etl.orders.join(etl.spark.read.parquet(etl.orders_path), "order").select("order")
    added = added_calls(etl.spark, lambda number: joined.write.parquet(f"{etl.tmp_path}/joined{number}"))
    assert 0 < added <= 115


def test_a_query_takes_no_calls_of_the_job(spark: SparkSession, orders: DataFrame) -> None:
    """What Spark reports is processed in another thread."""
    assert added_calls(spark, lambda number: orders.count() and None) == 0


def test_a_write_keeps_no_objects_of_the_jvm(spark: SparkSession, orders: DataFrame, tmp_path: Path) -> None:
    def write(first: int) -> int:
        """Write, and return how many objects of the JVM Python refers to."""
        for number in range(first, first + WRITES):
            orders.write.parquet(f"{tmp_path}/orders{number}")
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()  # type: ignore[attr-defined]
        gc.collect()
        return len(ThreadSafeFinalizer.finalizers)

    with SparkRun(spark, "etl", "cost", emit=lambda event: None):
        kept = [write(first) for first in range(0, 5 * WRITES, WRITES)]
    assert min(kept[3:]) < kept[0] + 3 * WRITES  # A leak would keep at least one for each write.
