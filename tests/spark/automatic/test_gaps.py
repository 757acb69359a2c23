"""Whatever cannot be captured is named in one message at the end of the run, and the job goes on."""

from __future__ import annotations

import threading

import pytest
from py4j.protocol import Py4JNetworkError
from pyspark import java_gateway

from openlineage_facets.spark.automatic import automatic_capture
from openlineage_facets.spark.capture.query_capture import QueryCapture
from tests.spark.automatic.conftest import ORDERS
from tests.spark.etl_job import EtlJob

pytestmark = pytest.mark.check


def test_without_a_callback_server_only_calls_are_captured(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(gateway: object) -> None:
        raise Py4JNetworkError("no port is free")

    monkeypatch.setattr(java_gateway, "ensure_callback_server_started", refused)
    with etl.run("refused", on_error="log"):
        etl.orders.write.parquet(etl.target)
        assert etl.orders.count() == ORDERS
    assert etl.events.outputs == [etl.target]
    assert etl.messages == [
        "lineage of etl/refused: not captured: actions, and writes not made by PySpark's own methods: "
        "the JVM cannot call Python: no port is free"
    ]


FAULTS: dict[str, tuple[object, str, str]] = {
    "callback": (
        automatic_capture._listener,
        "_receive",
        "not captured: a query: LookupError: no queue (3 times)",
    ),
    "record": (
        QueryCapture,
        "record",
        "could not find the inputs and outputs of a query: LookupError: no queue",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failure_to_receive_or_record_queries_is_logged_once(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def raised(*_: object) -> None:
        raise LookupError("no queue")

    owner, function, message = FAULTS[fault]
    monkeypatch.setattr(owner, function, raised)
    with etl.run("faulty", on_error="log"):
        etl.orders.write.parquet(etl.target)
        assert (etl.orders.count(), etl.orders.count()) == (ORDERS, ORDERS)
    assert etl.events.outputs == [etl.target]
    assert etl.messages == [f"lineage of etl/faulty: {message}"]


def test_a_call_of_an_unknown_run_is_named(etl: EtlJob) -> None:
    with etl.run("outer", on_error="log"), etl.run("inner", on_error="log"):
        thread = threading.Thread(target=etl.orders.write.parquet, args=[etl.target])
        thread.start()
        thread.join()
    assert etl.spark.read.parquet(etl.target).count() == ORDERS
    assert etl.events.outputs == []
    for run, message in zip(("inner", "outer"), etl.messages, strict=True):
        assert message.startswith(
            f"lineage of etl/{run}: not captured: a call of a thread that belongs to none"
        )
        assert "pyspark.InheritableThread" in message


def test_a_write_that_has_not_ended_is_named(etl: EtlJob, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql.readwriter import DataFrameWriter

    original = DataFrameWriter.parquet
    began, may_end = threading.Event(), threading.Event()

    def slow(self: DataFrameWriter, path: str) -> None:
        began.set()
        may_end.wait(60)
        original(self, path)

    monkeypatch.setattr(DataFrameWriter, "parquet", slow)
    run = etl.run("early", on_error="log").start()
    thread = threading.Thread(target=etl.orders.write.parquet, args=[etl.target])
    thread.start()
    assert began.wait(60)
    run.complete()
    may_end.set()
    thread.join()
    assert etl.spark.read.parquet(etl.target).count() == ORDERS
    assert (etl.events.types[-1], etl.events.outputs) == ("COMPLETE", [etl.target])
    assert etl.messages == [
        f"lineage of etl/early: not captured: the result of a write to {etl.target}, which had not ended "
        "when the run ended"
    ]
