"""An error in any step of the lineage code does not change the job, and is logged once per step."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import SparkRun
from openlineage_facets.spark.capture import (
    captured_session,
    dataset_names,
    lineage_capture,
    quality_observations,
    recorder,
    statement_capture,
    write_capture,
    write_results,
    write_targets,
)
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.command_capture import CommandCapture
from openlineage_facets.spark.capture.dataset_names import DatasetNames
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.quality_observations import QualityObservations
from openlineage_facets.spark.capture.query_capture import QueryCapture
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.statement_capture import StatementCapture
from openlineage_facets.spark.capture.write_capture import WriteCapture
from openlineage_facets.spark.capture.write_results import WriteResults
from openlineage_facets.spark.capture.write_targets import TargetFinder
from openlineage_facets.spark.metrics.data_quality import QualityObservation
from openlineage_facets.spark.metrics.sql_executions import MetricValues, SqlExecutions
from openlineage_facets.spark.metrics.write_metrics import ActionTracker
from openlineage_facets.spark.run import start_facets
from openlineage_facets.spark.run.start_facets import StartFacets
from tests.spark.run.conftest import Events, files_below

WEEK = [0, 1, 2, 3, 4, 5, 6]

CLASSES = (
    CapturedSession,
    CommandCapture,
    DatasetNames,
    JobFacets,
    LineageCapture,
    ActionTracker,
    MetricValues,
    QualityObservation,
    QualityObservations,
    QueryCapture,
    Recorder,
    SqlExecutions,
    StartFacets,
    StatementCapture,
    TargetFinder,
    WriteCapture,
    WriteResults,
)
MODULES = (
    captured_session,
    dataset_names,
    lineage_capture,
    quality_observations,
    recorder,
    start_facets,
    statement_capture,
    write_capture,
    write_results,
    write_targets,
)

CALLS_OF_THE_JOB = {
    "CapturedSession.move_to",
    "LineageCapture.read",
    "LineageCapture.write",
    "LineageCapture.statement",
    "LineageCapture.mark_streaming",
    "LineageCapture.finish",
    "LineageCapture._capture_calls_of",
    "LineageCapture._checked_name",
    "StatementCapture.statement",
    "WriteCapture.write",
    "WriteResults.execute",
}
"""Methods that execute calls of the job or that consist of guarded steps."""

NOT_IN_THE_JOB = {
    *("TargetFinder.insert_into", "TargetFinder.jdbc", "TargetFinder.save_as_table"),
    *("TargetFinder._by_name", "TargetFinder._schema_at", "TargetFinder._is_partitioned_delta"),
    *("write_targets.is_python_source", "write_targets.python_source"),
    *("write_targets.jdbc_table", "write_targets.table_exists", "write_targets.table_target"),
    *(
        "write_targets.can_have_partitions",
        "write_targets.existing_jdbc_table",
        "write_targets.with_written_schema",
    ),
    *("write_targets.written_by_name", "write_targets.written_by_position"),  # See test_written_columns.py.
    *("write_capture.schema_facet", "write_capture.with_written_schema", "write_capture.storage_layer"),
    *("lineage_capture.schema_facet", "dataset_names.rename_sources", "dataset_names.log_once"),
    *("DatasetNames.assign", "recorder.merge_column_lineage", "captured_session.client_inputs"),
    *("StatementCapture._record_failed", "statement_capture.analyzed_without_execution"),
    *("StatementCapture._record_ddl", "StatementCapture._warn_not_captured"),
    *("statement_capture.class_of", "statement_capture.reads_and_writes_nothing", "Recorder.add_definition"),
    *("QualityObservations.note_write", "quality_observations.may_stop_early"),  # See tests/spark/connect.
    *("SqlExecutions.rows_written", "ActionTracker._rows_written", "JobFacets.mark_streaming"),
    *(
        "LineageCapture.in_session",
        "LineageCapture.move_to",
        "CapturedSession.of",
    ),  # See tests/spark/automatic.
    *("LineageCapture.read_rdd", "LineageCapture.save_rdd"),
    *("Recorder.add_executed_inputs", "Recorder._is_known_with_another_format", "recorder._file_format"),
    *("LineageCapture.stream", "WriteCapture.stream", "write_targets.is_kafka", "write_targets.kafka_topic"),
    *("MetricValues.accumulated", "MetricValues._accumulated"),  # Of a cache, and of large files.
    *("write_targets.new_dataset", "write_capture.generated_columns"),  # See tests/spark/lake.
    *("LineageCapture.read_unreported", "Recorder.end_streams", "Recorder.add_subset", "recorder.widest"),
    *("TargetFinder.create_table", "TargetFinder.append_to_table"),
    *("LineageCapture.job_tags", "QueryCapture._record_definition", "CommandCapture.record_failed"),
    *("WriteResults.measure_query", "ActionTracker.metrics_of_query", "ActionTracker.job_tags"),
    *("ActionTracker._ended_execution", "SqlExecutions.of_query", "SqlExecutions.is_part_of_create"),
    *("SqlExecutions.with_parts", "SqlExecutions.job_tags", "SqlExecutions._of_command_without_metrics"),
    # See test_failed_writes.py.
    *("Recorder.reject_write", "Recorder.add_rejected", "write_capture._is_rejection"),
    # See tests/spark/corpus/jobs: a table with partitions, and a branch of an Iceberg table.
    *("TargetFinder._moves_partitions", "write_targets.partitions_last", "write_targets.resolve_table_name"),
    "dataset_names.checked_identity",  # Called as lineage_capture.checked_identity.
    *("start_facets.parent_facet", "start_facets.source_code_facet"),
}
"""Steps that the job below does not reach."""

STEPS: dict[str, tuple[object, str]] = {
    f"{owner.__name__.rpartition('.')[2]}.{name}": (owner, name)
    for owner in (*CLASSES, *MODULES)
    for name, function in vars(owner).items()
    if inspect.isfunction(function) and not name.startswith("__") and "facets" in function.__module__
}
"""Every method of the lineage code, and every function that it calls."""

REACHED = [step for step in STEPS if step not in CALLS_OF_THE_JOB | NOT_IN_THE_JOB]


def test_every_excluded_step_exists() -> None:
    assert set(STEPS) >= CALLS_OF_THE_JOB | NOT_IN_THE_JOB


class Fault(Exception):
    """An injected error."""


@pytest.fixture(scope="module")
def week(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    path = str(tmp_path_factory.mktemp("faults") / "week")
    spark.range(0, len(WEEK), 1, 1).withColumnRenamed("id", "day").write.parquet(path)
    return spark.read.parquet(path)


def job(run: SparkRun, week: DataFrame, target: str) -> list[int]:
    """Read, write and run a statement; return the result of the job."""
    run.write(run.read(week, quality=["day"]), target)
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}-days' USING csv SELECT day FROM parquet.`{target}`")
    return [int(day) for file in files_below(f"{target}-days") for day in file.read_text().split()]


@pytest.fixture(autouse=True)
def _no_tags_left(spark: SparkSession) -> Iterator[None]:
    """Remove job tags that could not be removed because of an injected error."""
    yield
    spark.sparkContext.clearJobTags()


@pytest.mark.parametrize("step", REACHED)
def test_an_error_in_any_step_does_not_change_the_job(
    spark: SparkSession,
    events: Events,
    week: DataFrame,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    step: str,
) -> None:
    owner, name = STEPS[step]
    called = []

    def fault(*args: object, **kwargs: object) -> None:
        called.append(name)
        raise Fault(name)

    monkeypatch.setattr(owner, name, fault)
    with SparkRun(spark, "etl", "faulty", emit=events) as run:
        assert job(run, week, target) == WEEK
    assert called
    assert (events.types[0], events.types[-1]) == ("START", "COMPLETE")
    messages = [record.getMessage() for record in caplog.records]
    assert any("Fault" in message for message in messages)
    assert len(messages) == len(set(messages))


@pytest.mark.parametrize("method", ["start", "running", "complete"])
def test_an_error_in_composing_an_event_does_not_change_the_job(
    spark: SparkSession,
    events: Events,
    week: DataFrame,
    target: str,
    method: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = SparkRun(spark, "etl", "faulty", emit=events)

    def fault(*_: object) -> None:
        raise Fault(method)

    monkeypatch.setattr(run.build, method, fault)
    with run:
        assert job(run, week, target) == WEEK


def test_an_error_of_the_emitter_does_not_change_the_job(
    spark: SparkSession, week: DataFrame, target: str, caplog: pytest.LogCaptureFixture
) -> None:
    def emit(event: object) -> None:
        raise Fault("receiver is down")

    with SparkRun(spark, "etl", "unheard", emit=emit) as run:
        assert job(run, week, target) == WEEK
    messages = [record.getMessage() for record in caplog.records]
    assert "lineage of etl/unheard: could not emit an event: Fault: receiver is down" in messages
    assert sum("could not emit" in message for message in messages) == 1
    assert len(messages) == len(set(messages))


def test_an_error_without_a_message_does_not_change_the_job(
    spark: SparkSession, week: DataFrame, target: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Mute(Fault):
        def __str__(self) -> str:
            raise ConnectionError("the JVM is gone")

    def emit(event: object) -> None:
        raise Mute

    with SparkRun(spark, "etl", "mute", emit=emit) as run:
        assert job(run, week, target) == WEEK
    assert "could not emit an event: Mute: its message is not available" in caplog.text


def test_errors_are_raised_with_on_error_raise(spark: SparkSession) -> None:
    def emit(event: object) -> None:
        raise Fault("receiver is down")

    with pytest.raises(Fault), SparkRun(spark, "etl", "strict", emit=emit, on_error="raise"):
        pass


def test_an_interrupt_in_lineage_code_propagates(spark: SparkSession) -> None:
    def emit(event: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SparkRun(spark, "etl", "interrupted", emit=emit).start()


def test_the_plan_of_a_write_is_unchanged(
    spark: SparkSession, events: Events, orders: DataFrame, target: str
) -> None:
    def plan_of(write) -> list[str]:
        store = spark._jsparkSession.sharedState().statusStore()
        write(orders.filter("day = 1").groupBy("customer").agg(f.sum("amount").alias("amount")))
        executions = store.executionsList()
        nodes = store.planGraph(executions.apply(executions.size() - 1).executionId()).allNodes()
        return [nodes.apply(index).name() for index in range(nodes.size())]

    with SparkRun(spark, "etl", "plans", emit=events) as run:
        captured = plan_of(lambda df: run.write(df, target, mode="overwrite"))
    assert captured == plan_of(lambda df: df.write.save(target, mode="overwrite"))
