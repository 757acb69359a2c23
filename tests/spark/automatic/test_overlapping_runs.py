"""Runs that overlap in time, and what outlives a run, do not report each other's reads and writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pyspark import InheritableThread
from pyspark.sql import DataFrame
from pyspark.sql.readwriter import DataFrameWriter

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.automatic import automatic_capture
from tests.spark.automatic.test_attribution import write_in_the_jvm
from tests.spark.etl_job import EtlJob, Events, mostly_thorough

pytestmark = pytest.mark.check
WITHOUT_GAPS = pytest.mark.usefixtures("without_gaps")


@contextmanager
def slow_write(etl: EtlJob, events: Events, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Write the orders in a run of another thread, whose call ends when the block has ended."""
    original = DataFrameWriter.parquet
    began, may_end = threading.Event(), threading.Event()

    def slow(self: DataFrameWriter, path: str) -> None:
        if path == f"{etl.target}-slow":
            began.set()
            assert may_end.wait(60)
        original(self, path)

    def job() -> None:
        with SparkRun(etl.spark, "etl", "slow", emit=events, on_error="raise"):
            etl.orders.write.parquet(f"{etl.target}-slow")

    monkeypatch.setattr(DataFrameWriter, "parquet", slow)
    thread = threading.Thread(target=job)
    thread.start()
    try:
        assert began.wait(60)
        yield
    finally:
        may_end.set()
        thread.join(60)


WRITES: dict[str, Callable[[EtlJob, str], object]] = {
    "jvm": lambda etl, path: write_in_the_jvm(etl.spark.read.parquet(etl.orders_path), path),
    "python": lambda etl, path: etl.spark.read.parquet(etl.orders_path).write.parquet(path),
    "sql": lambda etl, path: etl.spark.sql(
        f"INSERT OVERWRITE DIRECTORY '{path}' USING parquet SELECT * FROM parquet.`{etl.orders_path}`"
    ),
}


@WITHOUT_GAPS
@pytest.mark.parametrize("write", mostly_thorough(WRITES, "jvm"))
def test_a_run_that_ends_during_a_write_of_another_has_its_own_writes(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    slow = Events()
    with slow_write(etl, slow, monkeypatch), etl.run("fast"):
        WRITES[write](etl, f"{etl.target}-fast")
    assert etl.events.outputs == [f"{etl.target}-fast"]
    assert slow.outputs == [f"{etl.target}-slow"]


@contextmanager
def reading_stream(etl: EtlJob) -> Iterator[Callable[[], None]]:
    """Start a stream whose batches read the orders in the JVM; yield what waits for another batch."""
    executed = threading.Semaphore(0)

    def read(batch: DataFrame, _: int) -> None:
        if batch.isEmpty():
            return
        session = batch.sparkSession._jsparkSession
        session.read().parquet(etl.orders_path).count()
        executed.release()

    def wait() -> None:
        while executed.acquire(blocking=False):
            pass
        for _ in range(2):  # The first may have begun before.
            assert executed.acquire(timeout=60)

    source = etl.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
    query = source.writeStream.foreachBatch(read).start()
    try:
        yield wait
    finally:
        query.stop()


@pytest.mark.thorough
def test_a_stream_that_outlives_its_run_is_not_read_by_the_next(etl: EtlJob) -> None:
    first, second = Events(), Events()
    run = SparkRun(etl.spark, "etl", "first", emit=first, on_error="log").start()
    with reading_stream(etl) as wait_for_batch:
        wait_for_batch()
        run.complete()
        wait_for_batch()
        assert automatic_capture._worker._waiting == []
        with SparkRun(etl.spark, "etl", "second", emit=second, on_error="raise"):
            wait_for_batch()
    assert etl.orders_path in first.inputs
    assert second.inputs == []


@WITHOUT_GAPS
def test_an_rdd_in_an_inheritable_thread_belongs_to_the_run_of_its_thread(etl: EtlJob) -> None:
    outer, inner = Events(), Events()

    def read() -> None:
        etl.spark.sparkContext.textFile(f"{etl.tmp_path}/lines").count()
        etl.spark.read.parquet(etl.orders_path).rdd.map(lambda row: row).collect()

    (etl.tmp_path / "lines").write_text("line\n")
    with (
        SparkRun(etl.spark, "etl", "outer", emit=outer, on_error="raise"),
        SparkRun(etl.spark, "etl", "inner", emit=inner, on_error="raise"),
    ):
        thread = InheritableThread(target=read)
        thread.start()
        thread.join()
    assert sorted(inner.inputs) == sorted([f"{etl.tmp_path}/lines", etl.orders_path])
    assert outer.inputs == []


def test_of_several_runs_only_a_query_without_jobs_that_reads_a_dataset_is_named(etl: EtlJob) -> None:
    with etl.run("outer", on_error="log"), etl.run("inner", on_error="log"):
        etl.orders.createOrReplaceTempView("orders_of_a_run")
        etl.spark.createDataFrame([], etl.orders.schema).collect()
        etl.orders.where("1 = 0").collect()
    etl.spark.catalog.dropTempView("orders_of_a_run")
    assert etl.messages == [
        f"lineage of etl/{run}: not captured: a query without jobs, of one of several active runs"
        for run in ("inner", "outer")
    ]


@pytest.mark.thorough
@WITHOUT_GAPS
def test_many_writes_during_a_slow_write_are_processed_once_or_twice(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[object] = []
    process = automatic_capture._worker._process

    def counted(query: object) -> bool:
        attempts.append(query)
        return process(query)

    monkeypatch.setattr(automatic_capture._worker, "_process", counted)
    small = etl.orders.limit(1)
    with slow_write(etl, Events(), monkeypatch), etl.run("quick"):
        for number in range(10):
            small.write.parquet(f"{etl.target}-{number}")
    assert len(etl.events.outputs) == 10
    assert len(attempts) <= 3 * len(set(attempts))
