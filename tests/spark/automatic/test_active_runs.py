"""What is outside of a known context belongs to a run by its job tags or its session, or to no run."""

from __future__ import annotations

from collections.abc import Collection
from types import SimpleNamespace
from typing import cast

import pytest

from openlineage_facets.spark.automatic.active_runs import ActiveRun, ActiveRuns, UnknownRunError
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.reported_writes import ReportedWrites


def new_run() -> ActiveRun:
    return ActiveRun(cast(LineageCapture, SimpleNamespace(reported=ReportedWrites(), spark=object())))


@pytest.fixture
def runs() -> ActiveRuns:
    return ActiveRuns()


def started(runs: ActiveRuns, count: int) -> list[ActiveRun]:
    """Return runs that have begun one after another and are active."""
    active = [new_run() for _ in range(count)]
    for run in active:
        runs.add(run)
    return active


def not_asked() -> Collection[str]:
    raise AssertionError("expected no question for job tags, which takes calls to the JVM")


def test_the_only_run_of_a_process_owns_everything_without_asking_for_tags(runs: ActiveRuns) -> None:
    (run,) = started(runs, 1)
    assert runs.chosen([run], [run], not_asked) is run
    assert runs.chosen([run], [], not_asked) is run


def test_of_nested_runs_the_inner_run_owns_what_has_the_tags_of_both(runs: ActiveRuns) -> None:
    outer, inner = started(runs, 2)
    assert runs.chosen([outer, inner], [outer, inner], lambda: {inner.tag, outer.tag}) is inner


def test_without_a_tag_the_only_run_in_the_session_owns_a_query(runs: ActiveRuns) -> None:
    first, second = started(runs, 2)
    assert runs.chosen([first, second], [first], tuple) is first
    with pytest.raises(UnknownRunError):
        runs.chosen([first, second], [first, second], tuple)


def test_a_query_of_a_run_that_has_ended_belongs_to_no_other_run(runs: ActiveRuns) -> None:
    slow, fast = started(runs, 2)
    runs.remove(fast)
    assert runs.chosen([slow], [slow], lambda: {fast.tag}) is None
    assert runs.chosen([slow], [slow], lambda: {slow.tag, fast.tag}) is slow
    assert runs.chosen([slow], [slow], tuple) is slow


def test_a_stream_that_outlives_its_run_does_not_belong_to_the_next(runs: ActiveRuns) -> None:
    (first,) = started(runs, 1)
    runs.remove(first)
    (second,) = started(runs, 1)
    second.began = first.last_end + 1
    assert runs.chosen([second], [], lambda: {first.tag}) is None
    assert runs.chosen([second], [second], not_asked) is second


def test_the_calls_of_an_ended_run_are_remembered_until_they_were_reported(runs: ActiveRuns) -> None:
    slow, fast = started(runs, 2)
    fast.is_listening = True
    with fast.calls.reported.call() as call:
        runs.remove(fast)
        runs.forget_before(fast.last_end + 1)
        assert runs.with_ended() == [fast, slow]
    fast.note_end()
    assert call.ended is not None
    runs.forget_before(call.ended)
    assert runs.with_ended() == [fast, slow]
    runs.forget_before(fast.last_end + 1)
    assert runs.with_ended() == [slow]


def test_an_ended_run_whose_calls_spark_does_not_report_is_forgotten(runs: ActiveRuns) -> None:
    slow, through_connect = started(runs, 2)
    runs.remove(through_connect)
    assert runs.with_ended() == [slow]
