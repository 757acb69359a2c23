"""Whatever cannot be captured is named in one message at the end of the run, and the job goes on."""

from __future__ import annotations

import threading

import pytest
from py4j.protocol import Py4JNetworkError
from pyspark import java_gateway
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.automatic import automatic_capture
from openlineage_facets.spark.capture.query_capture import QueryCapture
from tests.spark.automatic.conftest import ORDERS
from tests.spark.run.conftest import Events

pytestmark = pytest.mark.check


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_without_a_callback_server_only_calls_are_captured(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refused(gateway: object) -> None:
        raise Py4JNetworkError("no port is free")

    monkeypatch.setattr(java_gateway, "ensure_callback_server_started", refused)
    with SparkRun(spark, "etl", "refused", emit=events):
        orders.write.parquet(target)
        assert orders.count() == ORDERS
    assert events.outputs == [target]
    assert messages(caplog) == [
        "lineage of etl/refused: not captured: actions, and writes not made by PySpark's own methods: "
        "the JVM cannot call Python: no port is free"
    ]


def test_a_callback_that_raises_is_named(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fault(query: object) -> None:
        raise LookupError("no queue")

    monkeypatch.setattr(automatic_capture._listener, "_receive", fault)
    with SparkRun(spark, "etl", "faulty", emit=events):
        orders.write.parquet(target)
        assert (orders.count(), orders.count()) == (ORDERS, ORDERS)
    assert events.outputs == [target]
    assert messages(caplog) == [
        "lineage of etl/faulty: not captured: a query: LookupError: no queue (3 times)"
    ]


def test_a_failure_to_record_a_query_is_logged_once(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fault(*_: object) -> None:
        raise LookupError("no plan")

    monkeypatch.setattr(QueryCapture, "record", fault)
    with SparkRun(spark, "etl", "faulty", emit=events):
        orders.write.parquet(target)
        assert (orders.count(), orders.count()) == (ORDERS, ORDERS)
    assert events.outputs == [target]
    assert messages(caplog) == [
        "lineage of etl/faulty: could not find the inputs and outputs of a query: LookupError: no plan"
    ]


def test_a_call_of_an_unknown_run_is_named(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    target: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with SparkRun(spark, "etl", "outer", emit=events), SparkRun(spark, "etl", "inner", emit=events):
        thread = threading.Thread(target=orders.write.parquet, args=[target])
        thread.start()
        thread.join()
    assert spark.read.parquet(target).count() == ORDERS
    assert events.outputs == []
    for run, message in zip(("inner", "outer"), messages(caplog), strict=True):
        assert message.startswith(
            f"lineage of etl/{run}: not captured: a call of a thread that belongs to none"
        )
        assert "pyspark.InheritableThread" in message


def test_a_write_that_has_not_ended_is_named(
    spark: SparkSession,
    events: Events,
    orders: DataFrame,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    from pyspark.sql.readwriter import DataFrameWriter

    original = DataFrameWriter.parquet
    began, may_end = threading.Event(), threading.Event()

    def slow(self: DataFrameWriter, path: str) -> None:
        began.set()
        may_end.wait(60)
        original(self, path)

    monkeypatch.setattr(DataFrameWriter, "parquet", slow)
    run = SparkRun(spark, "etl", "early", emit=events).start()
    thread = threading.Thread(target=orders.write.parquet, args=[target])
    thread.start()
    assert began.wait(60)
    run.complete()
    may_end.set()
    thread.join()
    assert spark.read.parquet(target).count() == ORDERS
    assert (events.types[-1], events.outputs) == ("COMPLETE", [target])
    assert messages(caplog) == [
        f"lineage of etl/early: not captured: the result of a write to {target}, which had not ended when "
        "the run ended"
    ]
