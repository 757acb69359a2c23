"""A query belongs to one run, and waits for the calls that may report it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from openlineage_facets.spark.automatic import received_query
from openlineage_facets.spark.automatic.active_runs import ActiveRun, ActiveRuns
from openlineage_facets.spark.automatic.received_query import ReceivedQuery
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.query_capture import ExecutedQuery
from openlineage_facets.spark.capture.reported_writes import CapturedCall, ReportedWrites
from openlineage_facets.spark.spark_dataset import SparkDataset
from openlineage_facets.spark.statements import DefinedTable

ORDERS, DAILY = SparkDataset("file", "/orders"), SparkDataset("file", "/daily")


class JavaSession:
    """A session of the JVM."""

    def equals(self, other: object) -> bool:
        return self is other


class Calls:
    """The capture of a run, with the queries that it has recorded."""

    def __init__(self, session: JavaSession, tags: set[str]) -> None:
        gateway = type("ClientServer", (), {})()
        self.spark = SimpleNamespace(_jsparkSession=session, sparkContext=SimpleNamespace(_gateway=gateway))
        self.reported = ReportedWrites()
        self.guard = Guard("etl/job", "https://example.com", "raise")
        self.recorded: list[ExecutedQuery] = []
        self.started_at: int | None = None
        self._tags = tags

    def in_session(self, spark: object) -> Calls:
        return self

    def query(self, query: ExecutedQuery, reported: object) -> None:
        self.recorded.append(query)

    def job_tags(self, query: ExecutedQuery) -> set[str]:
        return self._tags

    def started(self, query: ExecutedQuery) -> int | None:
        return self.started_at

    def named_output(self, dataset: SparkDataset) -> SparkDataset:
        return dataset


class Job:
    """A job with runs in one session.

    Attributes:
        tags: The tags of the jobs of its queries.
        gaps: What could not be captured.
        compared: How often the outputs of a query were compared with those of calls.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.active, self.session = ActiveRuns(), JavaSession()
        self.tags: set[str] = set()
        self.gaps: list[str] = []
        self.compared = 0
        monkeypatch.setattr(received_query, "is_command", lambda spark, plan: plan["writes"] is not None)
        monkeypatch.setattr(received_query, "effects_of", self._effects)
        monkeypatch.setattr(received_query, "executed_definition", lambda spark, plan: plan["defines"])
        monkeypatch.setattr(received_query, "datasets_of", list)
        monkeypatch.setattr(received_query, "plan_sources", lambda spark, plan: plan["reads"])
        monkeypatch.setattr(received_query, "class_of", lambda plan: plan["class"])

    def _effects(self, spark: object, plan: Any) -> list[Any]:
        self.compared += 1
        return [SimpleNamespace(dataset=dataset) for dataset in plan["writes"]]

    def start(self, began: int) -> ActiveRun:
        run = ActiveRun(cast(LineageCapture, Calls(self.session, self.tags)))
        run.began = began
        self.active.add(run)
        return run

    def query(
        self,
        began: int,
        writes: list[SparkDataset] | None = None,
        *,
        reads: tuple[SparkDataset, ...] = (ORDERS,),
        started_by: int = 1000,
        command: str = "Insert",
        defines: SparkDataset | None = None,
    ) -> ReceivedQuery:
        defined = None if defines is None else DefinedTable(defines, "CREATE")
        plan = {"writes": writes, "reads": reads, "class": command, "defines": defined}
        execution = SimpleNamespace(sparkSession=lambda: self.session)
        query = SimpleNamespace(began=began, was_executed=True, plan=plan, execution=execution)
        return ReceivedQuery(cast(ExecutedQuery, query), started_by, self.active, self.gaps.append)


def call_of(run: ActiveRun, began: int) -> CapturedCall:
    """Return a call that a run executes."""
    with run.calls.reported.call() as call:
        pass
    call.began, call.ended = began, None
    return call


def recorded(run: ActiveRun) -> int:
    return len(cast(Calls, run.calls).recorded)


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    return Job(monkeypatch)


def test_a_command_waits_for_the_call_that_may_have_executed_it(job: Job) -> None:
    run = job.start(began=100)
    call = call_of(run, began=110)
    write = job.query(120, [DAILY])
    assert not write.process()
    call.ended = 130
    assert write.process()
    assert recorded(run) == 1


def test_a_query_does_not_wait(job: Job) -> None:
    run = job.start(began=100)
    call_of(run, began=110)
    assert job.query(120).process()
    assert recorded(run) == 1


def test_a_command_that_a_finished_call_has_reported_does_not_wait_for_a_slow_call(job: Job) -> None:
    run = job.start(began=100)
    call_of(run, began=110)
    quick = call_of(run, began=120)
    write = job.query(121, [DAILY])
    assert not write.process()
    quick.writes(DAILY)
    quick.ended = 130
    assert write.process()


def test_a_definition_waits_for_its_call_when_another_call_has_ended(job: Job) -> None:
    run = job.start(began=100)
    own, other = call_of(run, began=110), call_of(run, began=110)
    definition = job.query(120, [], defines=DAILY)
    assert not definition.process()
    other.ended = 130
    assert not definition.process()
    own.writes(DAILY)
    own.ended = 140
    assert definition.process()


def test_a_waiting_command_is_only_compared_with_calls_when_one_of_those_has_ended(job: Job) -> None:
    run = job.start(began=100)
    call_of(run, began=110)
    write = job.query(120, [DAILY])
    for _ in range(10):
        assert not write.process()
    assert job.compared == 1


def test_a_command_does_not_wait_for_another_run_when_its_own_run_ends(job: Job) -> None:
    slow, fast = job.start(began=100), job.start(began=100)
    call = call_of(slow, began=110)
    job.tags.add(fast.tag)
    write = job.query(120, [DAILY])
    assert not write.process()
    fast.is_ending = True
    assert write.process()
    call.ended = 130
    assert (recorded(fast), recorded(slow)) == (1, 0)


def test_a_command_that_waits_keeps_the_run_that_it_was_assigned_to(job: Job) -> None:
    slow, fast = job.start(began=100), job.start(began=100)
    call = call_of(slow, began=110)
    job.tags.add(fast.tag)
    write = job.query(120, [DAILY])
    assert not write.process()
    job.active.remove(fast)
    call.ended = 130
    assert write.process()
    assert (recorded(fast), recorded(slow)) == (0, 0)


def test_a_query_executed_before_a_run_is_not_its_own(job: Job) -> None:
    run = job.start(began=100)
    assert job.query(50, started_by=99).process()
    assert recorded(run) == 0
    assert job.query(50, started_by=100).process()
    assert recorded(run) == 1


@pytest.mark.parametrize(("started_at", "count"), [(99, 0), (100, 1), (None, 1)])
def test_a_query_delivered_late_is_recognised_by_the_start_of_its_execution(
    job: Job, started_at: int | None, count: int
) -> None:
    run = job.start(began=100)
    run.begins_late = True
    cast(Calls, run.calls).started_at = started_at
    assert job.query(50, started_by=500).process()
    assert recorded(run) == count


def test_a_query_without_jobs_of_several_runs_is_named(job: Job) -> None:
    job.start(began=100), job.start(began=100)
    assert job.query(120).process()
    assert job.gaps == ["a query without jobs, of one of several active runs"]
    job.gaps.clear()
    job.tags.add("")  # What the status store has for a job without tags.
    assert job.query(120).process()
    assert job.gaps == ["a query of a thread that belongs to none of several active runs"]


def test_an_unknown_query_without_datasets_is_no_gap(job: Job) -> None:
    job.start(began=100), job.start(began=100)
    assert job.query(120, reads=()).process()
    assert job.query(120, [], command="CreateViewCommand").process()
    assert job.gaps == []
