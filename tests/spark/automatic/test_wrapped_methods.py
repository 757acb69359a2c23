"""PySpark's methods are only wrapped while a run is active, and a wrapped call is the call itself."""

from __future__ import annotations

import inspect
import traceback
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.readwriter import DataFrameWriter, DataFrameWriterV2

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.automatic import automatic_capture, captured_calls
from openlineage_facets.spark.automatic.wrapped_methods import TABLE_METHODS, WRITE_METHODS
from openlineage_facets.spark.capture.write_targets import TargetFinder
from tests.spark.etl_job import EtlJob, Events

pytestmark = pytest.mark.check

METHODS = [
    *((DataFrameWriter, name) for name in WRITE_METHODS if hasattr(DataFrameWriter, name)),
    *((DataFrameWriterV2, name) for name in TABLE_METHODS),
    (SparkSession, "sql"),
]
ORIGINALS = {(owner, name): vars(owner)[name] for owner, name in METHODS}


def present() -> dict:
    return {(owner, name): vars(owner)[name] for owner, name in METHODS}


def test_methods_are_restored_when_the_last_run_ends(spark: SparkSession, events: Events) -> None:
    first = SparkRun(spark, "etl", "first", emit=events).start()
    second = SparkRun(spark, "etl", "second", emit=events).start()
    first.complete()
    assert not set(present().values()) & set(ORIGINALS.values())
    second.complete()
    assert present() == ORIGINALS


def test_methods_are_not_wrapped_without_capture(spark: SparkSession, events: Events) -> None:
    with SparkRun(spark, "etl", "explicit", emit=events, capture=False):
        assert present() == ORIGINALS


@pytest.mark.thorough
def test_a_wrapper_of_someone_else_is_kept(etl: EtlJob, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(DataFrameWriter, "parquet", ORIGINALS[DataFrameWriter, "parquet"])  # To undo it.
    with etl.run("first", on_error="log"):
        ours = DataFrameWriter.parquet

        def theirs(*args: object, **kwargs: object) -> None:
            calls.append(args)
            ours(*args, **kwargs)

        DataFrameWriter.parquet = theirs
    assert vars(DataFrameWriter)["parquet"] is theirs
    etl.orders.write.parquet(etl.target)
    assert len(calls) == 1
    assert etl.events.outputs == []


def test_wrapped_methods_have_the_same_signature_and_documentation(etl: EtlJob) -> None:
    with etl.run("orders.daily", on_error="log"):
        for (owner, name), original in ORIGINALS.items():
            wrapped = getattr(owner, name)
            assert inspect.signature(wrapped) == inspect.signature(original)
            assert (wrapped.__doc__, wrapped.__name__) == (original.__doc__, original.__name__)


def test_wrong_arguments_raise_the_error_of_the_method(etl: EtlJob) -> None:
    def message() -> str:
        with pytest.raises(TypeError) as raised:
            etl.orders.write.parquet("a", "b", "c", "d", "e", "f")
        return str(raised.value)

    expected = message()
    with etl.run("orders.daily", on_error="log"):
        assert message() == expected


def test_an_error_of_a_write_has_one_frame_of_this_package(etl: EtlJob) -> None:
    etl.orders.write.parquet(etl.target)

    def frames() -> list[str]:
        with pytest.raises(AnalysisException, match="PATH_ALREADY_EXISTS") as raised:
            etl.orders.write.parquet(etl.target)
        assert raised.value.__cause__ is None
        return [Path(frame.filename).name for frame in traceback.extract_tb(raised.value.__traceback__)]

    expected = frames()
    with etl.run("orders.daily", on_error="log"):
        found = frames()
    assert found == [expected[0], "wrapped_methods.py", *expected[1:]]
    assert etl.events.outputs == []  # Spark has refused the write, and the job has handled the error.


def test_a_failed_write_is_executed_once_and_fails_the_run(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    original = DataFrameWriter.parquet

    def counted(self: DataFrameWriter, path: str) -> None:
        calls.append(path)
        original(self, path)
        raise OSError("disk full")

    monkeypatch.setattr(DataFrameWriter, "parquet", counted)
    with pytest.raises(OSError, match="disk full"), etl.run("failed", on_error="log"):
        etl.orders.write.parquet(etl.target)
    assert calls == [etl.target]
    assert etl.events.types[-1] == "FAIL"
    assert etl.events.outputs == [etl.target]


FAULTS: dict[str, tuple[object, str, str]] = {
    "target": (TargetFinder, "save", "could not find the write target: LookupError: no such field"),
    "writer": (captured_calls, "written_frame", "could not find the DataFrame of a write: LookupError"),
    "caller": (automatic_capture, "session_of", "a thread whose run is unknown: no such field"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_error_in_lineage_code_does_not_change_a_write(
    etl: EtlJob, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def raised(*_: object, **__: object) -> None:
        raise LookupError("no such field")

    owner, function, message = FAULTS[fault]
    monkeypatch.setattr(owner, function, raised)
    with etl.run("faulty", on_error="log"):
        etl.orders.write.parquet(etl.target)
    assert etl.spark.read.parquet(etl.target).count() == etl.orders.count()
    assert message in etl.caplog.text


def test_columns_named_like_attributes_of_pyspark_do_not_change_an_action(etl: EtlJob) -> None:
    df = etl.spark.range(3).selectExpr("id AS _spark", "id AS _session", "id AS sparkSession")
    with etl.run("orders.daily"):
        assert len(list(df.toLocalIterator())) == 3
