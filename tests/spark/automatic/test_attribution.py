"""Each call and each query belongs to one run, with threads, nested runs and several sessions."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyspark import InheritableThread
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.automatic.query_listener import QueryListener
from tests.spark.automatic.conftest import ORDERS
from tests.spark.etl_job import EtlJob, Events, mostly_thorough

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_gaps")]


def write_in_the_jvm(df: DataFrame, path: str) -> None:
    df._jdf.write().parquet(path)


@pytest.mark.thorough
def test_the_threads_of_one_run_belong_to_it(etl: EtlJob) -> None:
    with etl.run("parallel"), ThreadPoolExecutor(4) as pool:
        written = []
        for number in range(2):
            written.append(pool.submit(etl.orders.write.parquet, f"{etl.target}-{number}"))
            written.append(pool.submit(write_in_the_jvm, etl.orders, f"{etl.target}-jvm-{number}"))
        for one in written:
            one.result()
    assert {name: etl.events.rows(name) for name in etl.events.outputs} == {
        f"{etl.target}-{name}": ORDERS for name in ("0", "1", "jvm-0", "jvm-1")
    }


def test_a_nested_run_reports_its_own_writes_only(etl: EtlJob) -> None:
    outer, inner = Events(), Events()
    with SparkRun(etl.spark, "etl", "outer", emit=outer, on_error="raise"):
        write_in_the_jvm(etl.orders, f"{etl.target}-1")
        with SparkRun(etl.spark, "etl", "inner", emit=inner, on_error="raise"):
            etl.orders.write.parquet(f"{etl.target}-2")
            write_in_the_jvm(etl.orders, f"{etl.target}-3")
        etl.orders.write.parquet(f"{etl.target}-4")
        write_in_the_jvm(etl.orders, f"{etl.target}-5")
    assert sorted(outer.outputs) == [f"{etl.target}-1", f"{etl.target}-4", f"{etl.target}-5"]
    assert sorted(inner.outputs) == [f"{etl.target}-2", f"{etl.target}-3"]


class SlowListener(QueryListener):
    """Another listener of the application, because of which Spark delivers queries late."""

    def __init__(self) -> None:
        super().__init__(lambda query: time.sleep(1), lambda reason: None)

    def toString(self) -> str:  # noqa: N802
        return "slow"


@pytest.mark.thorough
def test_a_run_does_not_report_a_write_from_before_that_spark_delivers_late(etl: EtlJob) -> None:
    slow = SlowListener()
    slow.register(etl.spark)
    try:
        etl.orders.write.parquet(etl.target)
        etl.orders.write.parquet(
            etl.target, mode="append"
        )  # Delivered after the first, when the run has begun.
        with etl.run("late"):
            etl.orders.write.parquet(etl.target, mode="append")
    finally:
        slow.unregister()
    assert etl.events.rows(etl.target) == ORDERS


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(lambda df: df.orderBy("day").collect(), id="order", marks=pytest.mark.thorough),
        pytest.param(lambda df: df.groupBy("day").count().toPandas(), id="group", marks=pytest.mark.thorough),
        pytest.param(lambda df: df.repartition(2).unionByName(df).coalesce(1).collect(), id="coalesce"),
        pytest.param(lambda df: df.collect(), id="scan"),
    ],
)
def test_a_nested_run_reports_its_own_queries_only(etl: EtlJob, query: Callable[[DataFrame], object]) -> None:
    outer, inner = Events(), Events()
    with (
        SparkRun(etl.spark, "etl", "outer", emit=outer, on_error="raise"),
        SparkRun(etl.spark, "etl", "inner", emit=inner, on_error="raise"),
    ):
        query(etl.orders)
    assert inner.inputs == [etl.orders_path]
    assert not outer.inputs


def test_concurrent_runs_are_separate(spark: SparkSession, orders: DataFrame, target: str) -> None:
    every = [Events() for _ in range(3)]
    started = threading.Barrier(len(every))

    def job(number: int) -> None:
        with SparkRun(spark, "etl", f"job {number}", emit=every[number], on_error="raise"):
            started.wait(60)
            orders.write.parquet(f"{target}-{number}")
            spark.read.parquet(f"{target}-{number}").collect()
            write_in_the_jvm(orders, f"{target}-jvm-{number}")
            started.wait(120)

    with ThreadPoolExecutor(len(every)) as pool:
        list(pool.map(job, range(len(every))))
    for number, events in enumerate(every):
        assert sorted(events.outputs) == [f"{target}-{number}", f"{target}-jvm-{number}"]
        assert f"{target}-{number}" in events.inputs
        assert len(events.inputs) == 2


INHERITING: dict[str, Callable[[Callable[[], None]], threading.Thread]] = {
    "InheritableThread": lambda call: InheritableThread(target=call),
    "copied context": lambda call: threading.Thread(target=contextvars.copy_context().run, args=[call]),
}


@pytest.mark.parametrize("kind", mostly_thorough(INHERITING, "InheritableThread"))
def test_a_thread_can_inherit_one_of_several_runs(etl: EtlJob, kind: str) -> None:
    first, second = Events(), Events()

    def job(events: Events, path: str) -> None:
        with SparkRun(etl.spark, "etl", path, emit=events, on_error="raise"):
            started.wait(60)
            thread = INHERITING[kind](lambda: etl.orders.write.parquet(path))
            thread.start()
            thread.join()
            started.wait(60)

    started = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(job, [first, second], [f"{etl.target}-1", f"{etl.target}-2"]))
    assert (first.outputs, second.outputs) == ([f"{etl.target}-1"], [f"{etl.target}-2"])


def test_asyncio_tasks_are_separate(spark: SparkSession, orders: DataFrame, target: str) -> None:
    first, second = Events(), Events()

    async def job(events: Events, path: str) -> None:
        with SparkRun(spark, "etl", path, emit=events, on_error="raise"):
            await started.wait()
            await asyncio.to_thread(orders.write.parquet, path)
            orders.write.parquet(f"{path}-again")
            await asyncio.sleep(0)

    async def both() -> None:
        tasks = [asyncio.create_task(job(*one)) for one in ((first, f"{target}-1"), (second, f"{target}-2"))]
        await asyncio.sleep(0.1)
        started.set()
        await asyncio.gather(*tasks)

    started = asyncio.Event()
    asyncio.run(both())
    assert first.outputs == [f"{target}-1", f"{target}-1-again"]
    assert second.outputs == [f"{target}-2", f"{target}-2-again"]


def test_another_session_of_the_same_application_is_captured(etl: EtlJob) -> None:
    earlier = etl.spark.newSession()
    with etl.run("sessions"):
        other = etl.spark.newSession()
        write_in_the_jvm(other.read.parquet(etl.orders_path), f"{etl.target}-1")
        other.read.parquet(etl.orders_path).createOrReplaceTempView("only_here")
        other.table("only_here").write.parquet(f"{etl.target}-2")
        earlier.read.parquet(etl.orders_path).write.parquet(f"{etl.target}-3")
        write_in_the_jvm(earlier.read.parquet(etl.orders_path), f"{etl.target}-4")
    assert sorted(etl.events.outputs) == [f"{etl.target}-{number}" for number in (1, 2, 3, 4)]
    assert etl.events.inputs == [etl.orders_path]


@pytest.mark.thorough
def test_a_cell_that_is_executed_again_starts_a_new_run(etl: EtlJob) -> None:
    first, second = Events(), Events()

    def in_own_context(call: Callable[[], None]) -> None:
        """Call a function as a notebook may execute a cell."""
        contextvars.Context().run(call)

    runs: list[SparkRun] = []
    for events in (first, second):
        in_own_context(
            lambda events=events: runs.append(SparkRun(etl.spark, "etl", "cell", emit=events).start())
        )
    in_own_context(lambda: etl.orders.write.parquet(etl.target))
    in_own_context(lambda: write_in_the_jvm(etl.orders, f"{etl.target}-jvm"))
    runs[1].complete()
    runs[0].abort()
    assert sorted(second.outputs) == [etl.target, f"{etl.target}-jvm"]
    assert first.outputs == []
