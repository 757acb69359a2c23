"""Any call of a job can be captured: its result is returned, and its lineage is recorded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets import RunEvent
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.write_targets import TargetFinder, WriteTarget

ROWS = 10


class Capture:
    """A capture, and the event with everything that it has recorded."""

    def __init__(self, spark: SparkSession) -> None:
        lock = threading.RLock()
        self.builder = RunEventBuilder("etl", "orders.daily")
        self.builder.start()
        self.reports: list[bool] = []
        recorder = Recorder(self.builder, lock)
        self.calls = LineageCapture(
            spark,
            recorder,
            JobFacets(self.builder, lock),
            Guard("etl/orders.daily", "https://example.com/v7/etl", "raise"),
            lock,
            lambda: self.reports.append(recorder.reset_changes()),
        )

    def event(self) -> RunEvent:
        return self.builder.complete()


@pytest.fixture
def capture(spark: SparkSession) -> Capture:
    return Capture(spark)


@pytest.fixture
def orders(spark: SparkSession, tmp_path: Path) -> DataFrame:
    path = str(tmp_path / "orders")
    spark.range(ROWS).write.parquet(path)
    return spark.read.parquet(path)


def save(df: DataFrame, path: str) -> tuple[Callable[[], str], Callable[[TargetFinder], WriteTarget]]:
    def action() -> str:
        df.write.parquet(path)
        return "written"

    return action, lambda targets: targets.save(df, path, "parquet", None, False, {})


def test_a_write_returns_the_result_of_the_call_and_records_both_sides(
    capture: Capture, orders: DataFrame, tmp_path: Path
) -> None:
    target = str(tmp_path / "daily")
    action, find_target = save(orders, target)
    assert capture.calls.write(action, orders, find_target) == "written"
    event = capture.event()
    assert [dataset.name for dataset in event.inputs or ()] == [str(tmp_path / "orders")]
    (output,) = event.outputs or ()
    assert (output.name, output.output_facets.output_statistics.row_count) == (target, ROWS)
    assert list(output.facets.column_lineage.fields) == ["id"]


def test_changes_are_reported_before_and_after_a_write(
    capture: Capture, orders: DataFrame, tmp_path: Path
) -> None:
    action, find_target = save(orders, str(tmp_path / "daily"))

    def checked_action() -> str:
        assert capture.reports == [True]
        return action()

    capture.calls.write(checked_action, orders, find_target)
    assert capture.reports == [True, True]


def test_an_error_of_the_call_propagates_unchanged(
    capture: Capture, orders: DataFrame, tmp_path: Path
) -> None:
    _, find_target = save(orders, str(tmp_path / "daily"))
    error = RuntimeError("disk full")

    def action() -> None:
        raise error

    with pytest.raises(RuntimeError) as raised:
        capture.calls.write(action, orders, find_target)
    assert raised.value is error
    (output,) = capture.event().outputs or ()
    assert output.output_facets is None, "a failed write has no statistics"


def test_a_statement_returns_the_dataframe_of_the_call(
    spark: SparkSession, capture: Capture, orders: DataFrame, tmp_path: Path
) -> None:
    query = f"SELECT * FROM parquet.`{tmp_path / 'orders'}`"
    df = spark.sql(query)
    assert capture.calls.statement(lambda: df, query) is df
    event = capture.event()
    assert [dataset.name for dataset in event.inputs or ()] == [str(tmp_path / "orders")]
    assert event.job.facets is not None
    assert event.job.facets.sql is not None
    assert event.job.facets.sql.query == query
