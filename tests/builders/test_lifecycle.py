"""A run starts once and first, ends once, and has nothing but OTHER after its end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openlineage_facets import EventError, EventType, RunEvent, RunEventBuilder
from openlineage_facets.facets import SQLJobFacet
from openlineage_facets.tags import Tag
from tests.builders.orders import DAILY, LAKE, NOON, RAW, run_builder, started

KINDS: dict[EventType, Callable[..., RunEvent]] = {
    EventType.START: RunEventBuilder.start,
    EventType.RUNNING: RunEventBuilder.running,
    EventType.COMPLETE: RunEventBuilder.complete,
    EventType.FAIL: RunEventBuilder.fail,
    EventType.ABORT: RunEventBuilder.abort,
    EventType.OTHER: RunEventBuilder.other,
}
TERMINAL = [EventType.COMPLETE, EventType.FAIL, EventType.ABORT]

LETTERS = {"START": "S", "RUNNING": "r", "COMPLETE": "T", "FAIL": "T", "ABORT": "T", "OTHER": "o"}
LIFECYCLE = re.compile(r"(S[ro]*(To*)?)?")
"""All that a run may say of itself: S is START, r RUNNING, o OTHER, T its end."""

Step = tuple[str, Callable[[Any], Any]]

EVENTS: list[Step] = [
    (kind.value, lambda build, say=say: say(build, event_time=NOON)) for kind, say in KINDS.items()
]
FAILURES: list[Step] = [
    ("FAIL", lambda build: build.fail(ValueError("no such table"), NOON)),
    ("FAIL", lambda build: build.fail("no such table", NOON)),
]
METADATA: list[Step] = [
    ("", lambda build: build.job.sql(query="select 1")),
    ("", lambda build: build.job.delete("sql")),
    ("", lambda build: build.tag("team", "dataos")),
    ("", lambda build: build.run.nominal_time(nominal_start_time=NOON)),
    ("", lambda build: build.input(LAKE, RAW)),
    ("", lambda build: build.input(LAKE, RAW).schema(fields=[{"name": "id"}])),
    ("", lambda build: build.output(LAKE, DAILY).output_statistics(row_count=1)),
]
MISTAKES: list[Step] = [
    ("BAD", lambda build, say=say: say(build, event_time="2026-11-21T12:00:00")) for say in KINDS.values()
]
MISTAKES += [
    ("BAD", lambda build: build.fail(ValueError("x"), "yesterday")),
    ("BAD", lambda build: build.fail(7, NOON)),
    ("BAD", lambda build: build.run.nominal_time(nominal_start_time="yesterday")),
    ("BAD", lambda build: build.run.delete("parent")),
    ("BAD", lambda build: build.job.sql(query=None)),
    ("BAD", lambda build: build.tag("")),
    ("BAD", lambda build: build.tag("team", {})),
    ("BAD", lambda build: build.input(LAKE, "")),
    ("BAD", lambda build: build.run.facet(SQLJobFacet(query="select 1"))),
    ("BAD", lambda build: build.tags([Tag("team"), Tag("pii", field="email")])),
]
"""Calls that are refused whenever they come, with the rest of the event as it should be."""

STEPS = st.lists(st.sampled_from([*EVENTS, *EVENTS, *FAILURES, *METADATA, *MISTAKES]), max_size=14)


def taken(build: RunEventBuilder, steps: list[Step]) -> tuple[list[RunEvent], list[Step]]:
    """Return the events that `steps` gave, and the steps that were not refused."""
    events, accepted = [], []
    for step in steps:
        try:
            made = step[1](build)
        except EventError:
            continue
        accepted.append(step)
        if isinstance(made, RunEvent):
            events.append(made)
    return events, accepted


def spelled(kinds: list[str]) -> str:
    return "".join(LETTERS[kind] for kind in kinds)


@settings(deadline=None, max_examples=300)
@given(STEPS)
def test_any_calls_in_any_order_keep_the_lifecycle(steps: list[Step]) -> None:
    events, _ = taken(run_builder(), steps)
    assert LIFECYCLE.fullmatch(spelled([str(event.to_dict()["eventType"]) for event in events]))


@settings(deadline=None, max_examples=300)
@given(STEPS)
def test_every_call_that_the_lifecycle_allows_gives_its_event(steps: list[Step]) -> None:
    expected: list[str] = []
    for kind, _ in steps:
        if kind in LETTERS and LIFECYCLE.fullmatch(spelled([*expected, kind])):
            expected.append(kind)
    events, _ = taken(run_builder(), steps)
    assert [event.to_dict()["eventType"] for event in events] == expected


@settings(deadline=None, max_examples=300)
@given(STEPS)
def test_a_refused_call_changes_nothing(steps: list[Step]) -> None:
    events, accepted = taken(run_builder(), steps)
    again, all_accepted = taken(run_builder(), accepted)
    assert [event.to_json() for event in again] == [event.to_json() for event in events]
    assert all_accepted == accepted


@settings(deadline=None, max_examples=100)
@given(STEPS)
def test_every_event_names_the_same_run_and_job(steps: list[Step]) -> None:
    build = RunEventBuilder("etl", "orders.daily")
    events, _ = taken(build, steps)
    assert {event.run.run_id for event in events} <= {build.run_id}
    assert {(event.job.namespace, event.job.name) for event in events} <= {("etl", "orders.daily")}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not EventType.START])
def test_nothing_comes_before_start(kind: EventType) -> None:
    with pytest.raises(EventError, match=f"/eventType: expected START first, found {kind.value} first; call"):
        KINDS[kind](run_builder())


@pytest.mark.parametrize("between", [EventType.RUNNING, EventType.OTHER, *TERMINAL, None])
def test_start_comes_once(between: EventType | None) -> None:
    build = started()
    if between:
        KINDS[between](build)
    with pytest.raises(EventError, match="/eventType: expected START once, found START after .*; send"):
        build.start()


@pytest.mark.parametrize("end", TERMINAL)
@pytest.mark.parametrize("kind", [EventType.RUNNING, *TERMINAL])
def test_nothing_but_other_comes_after_the_end(end: EventType, kind: EventType) -> None:
    build = started()
    KINDS[end](build)
    for _ in range(2):
        with pytest.raises(EventError, match="expected nothing but OTHER after the end"):
            KINDS[kind](build)
        assert build.other().event_type is EventType.OTHER


def test_running_and_other_come_as_often_as_they_like() -> None:
    build = started()
    for _ in range(3):
        assert build.running().event_type is EventType.RUNNING
        assert build.other().event_type is EventType.OTHER
    assert build.complete().event_type is EventType.COMPLETE


def test_two_builders_are_two_runs() -> None:
    first, second = RunEventBuilder("etl", "orders"), RunEventBuilder("etl", "orders")
    assert first.run_id != second.run_id
    first.start()
    assert second.start().run.run_id == second.run_id
