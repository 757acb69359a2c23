"""Whatever goes wrong in lineage code, the job's result is the same, and the log has a line for each step."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets.spark import SparkRun, actions, opening
from openlineage_facets.spark.actions import Actions
from openlineage_facets.spark.measuring import Meter
from openlineage_facets.spark.opening import Opening
from openlineage_facets.spark.qualities import Qualities
from openlineage_facets.spark.quality import Observed
from openlineage_facets.spark.record import Record
from tests.spark.run.conftest import Events, files_below

WEEK = [0, 1, 2, 3, 4, 5, 6]

ELSEWHERE = (
    ("Actions.perform", "Actions.sql", "Actions._tagged"),  # They call the job's own and hold no other code.
    ("Actions.insert_target", "Actions.jdbc_target", "Actions.table_target"),  # As Actions.path_target.
    ("actions.jdbc_target", "actions.schema_facet", "actions.table_exists", "actions.table_target"),
    ("actions.may_be_partitioned",),
    ("actions.read_by", "Qualities.written"),  # As tests/spark/connect does; here it has nothing to do.
    ("Meter._records", "Opening.stream", "Record.rename"),
    ("opening.parent_facet", "opening.source_code_facet", "opening.unique_tags"),
)
"""What the job below does not come by."""

STEPS: dict[str, tuple[object, str]] = {
    f"{owner.__name__.rpartition('.')[2]}.{name}": (owner, name)
    for owner in (Actions, Meter, Observed, Opening, Qualities, Record, actions, opening)
    for name, function in vars(owner).items()
    if inspect.isfunction(function) and not name.startswith("__") and "facets" in function.__module__
}
"""Every method of the lineage code, and every function of other modules that it calls."""

REACHED = [step for step in STEPS if not any(step in group for group in ELSEWHERE)]


class Fault(Exception):
    """What is thrown in."""


@pytest.fixture(scope="module")
def week(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    path = str(tmp_path_factory.mktemp("faults") / "week")
    spark.range(0, len(WEEK), 1, 1).withColumnRenamed("id", "day").write.parquet(path)
    return spark.read.parquet(path)


def job(run: SparkRun, week: DataFrame, target: str) -> list[int]:
    """Do a little of everything, and return what the job is there for."""
    run.write(run.read(week, quality=["day"]), target)
    run.sql(f"INSERT OVERWRITE DIRECTORY '{target}-days' USING csv SELECT day FROM parquet.`{target}`")
    return [int(day) for file in files_below(f"{target}-days") for day in file.read_text().split()]


@pytest.fixture(autouse=True)
def _no_tags_left(spark: SparkSession) -> Iterator[None]:
    """Take off the tags that were left on by what could not take them off."""
    yield
    spark.sparkContext.clearJobTags()


@pytest.mark.parametrize("step", REACHED)
def test_a_fault_in_any_step_leaves_the_job_alone(
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
def test_an_event_that_cannot_be_composed_leaves_the_job_alone(
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


def test_an_emitter_that_raises_leaves_the_job_alone(
    spark: SparkSession, week: DataFrame, target: str, caplog: pytest.LogCaptureFixture
) -> None:
    def emit(event: object) -> None:
        raise Fault("receiver is down")

    with SparkRun(spark, "etl", "unheard", emit=emit) as run:
        assert job(run, week, target) == WEEK
    told = [record.getMessage() for record in caplog.records]
    assert "lineage of etl/unheard: could not emit the START event: Fault: receiver is down" in told
    assert len(told) == len(set(told))


def test_an_error_that_cannot_say_what_it_is_leaves_the_job_alone(
    spark: SparkSession, week: DataFrame, target: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Mute(Fault):
        def __str__(self) -> str:
            raise ConnectionError("the JVM is gone")

    def emit(event: object) -> None:
        raise Mute

    with SparkRun(spark, "etl", "mute", emit=emit) as run:
        assert job(run, week, target) == WEEK
    assert "could not emit the START event: Mute: what it says cannot be had" in caplog.text


def test_faults_are_raised_where_that_is_asked_for(spark: SparkSession) -> None:
    def emit(event: object) -> None:
        raise Fault("receiver is down")

    with pytest.raises(Fault), SparkRun(spark, "etl", "strict", emit=emit, on_error="raise"):
        pass


def test_an_interrupt_in_lineage_code_is_the_users(spark: SparkSession) -> None:
    def emit(event: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SparkRun(spark, "etl", "interrupted", emit=emit).start()


def test_the_plan_of_a_write_is_the_plan_without_lineage(
    spark: SparkSession, events: Events, orders: DataFrame, target: str
) -> None:
    def plan_of(write) -> list[str]:
        store = spark._jsparkSession.sharedState().statusStore()
        write(orders.filter("day = 1").groupBy("customer").agg(f.sum("amount").alias("amount")))
        executions = store.executionsList()
        nodes = store.planGraph(executions.apply(executions.size() - 1).executionId()).allNodes()
        return [nodes.apply(index).name() for index in range(nodes.size())]

    with SparkRun(spark, "etl", "plans", emit=events) as run:
        told = plan_of(lambda df: run.write(df, target, mode="overwrite"))
    assert told == plan_of(lambda df: df.write.save(target, mode="overwrite"))
