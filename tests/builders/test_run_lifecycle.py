"""START is the first event, once; one terminal event ends the run; only OTHER may follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError, EventType, RunEvent, RunEventBuilder
from openlineage_facets.facets import SQLJobFacet
from openlineage_facets.tags import Tag
from tests.builders.sample_builders import DAILY, LAKE, NOON, RAW, run_builder, started
from tests.cases import each

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
"""All valid sequences: S is START, r RUNNING, o OTHER, T a terminal event."""

Step = tuple[str, Callable[[Any], Any]]

EVENTS: list[Step] = [
    (kind.value, lambda build, change=change: change(build, event_time=NOON))
    for kind, change in KINDS.items()
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
    ("BAD", lambda build, change=change: change(build, event_time="2026-11-21T12:00:00"))
    for change in KINDS.values()
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
"""Calls that are always rejected."""

STEPS = st.lists(st.sampled_from([*EVENTS, *EVENTS, *FAILURES, *METADATA, *MISTAKES]), max_size=14)


def apply_steps(build: RunEventBuilder, steps: list[Step]) -> tuple[list[RunEvent], list[Step]]:
    """Return the events returned by `steps`, and the accepted steps."""
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


def as_letters(kinds: list[str]) -> str:
    return "".join(LETTERS[kind] for kind in kinds)


@given(STEPS)
def test_allowed_calls_return_events(steps: list[Step]) -> None:
    expected: list[str] = []
    for kind, _ in steps:
        if kind in LETTERS and LIFECYCLE.fullmatch(as_letters([*expected, kind])):
            expected.append(kind)
    events, _ = apply_steps(run_builder(), steps)
    assert [event.to_dict()["eventType"] for event in events] == expected


@given(STEPS)
def test_rejected_calls_change_nothing(steps: list[Step]) -> None:
    events, accepted = apply_steps(run_builder(), steps)
    again, all_accepted = apply_steps(run_builder(), accepted)
    assert [event.to_json() for event in again] == [event.to_json() for event in events]
    assert all_accepted == accepted


@each("kind", [kind for kind in KINDS if kind is not EventType.START])
def test_events_before_start_are_rejected(kind: EventType) -> None:
    with pytest.raises(EventError, match=f"/eventType: expected START first, found {kind.value} first; call"):
        KINDS[kind](run_builder())


@each("between", [EventType.RUNNING, EventType.OTHER, *TERMINAL, None])
def test_second_start_is_rejected(between: EventType | None) -> None:
    build = started()
    if between:
        KINDS[between](build)
    with pytest.raises(EventError, match="/eventType: expected START once, found START after .*; send"):
        build.start()


@each("end", TERMINAL)
@each("kind", [EventType.RUNNING, *TERMINAL])
def test_only_other_is_allowed_after_the_end(end: EventType, kind: EventType) -> None:
    build = started()
    KINDS[end](build)
    for _ in range(2):
        with pytest.raises(EventError, match="expected only OTHER after the end"):
            KINDS[kind](build)
        assert build.other().event_type is EventType.OTHER


def test_builders_have_different_run_ids() -> None:
    first, second = RunEventBuilder("etl", "orders"), RunEventBuilder("etl", "orders")
    assert first.run_id != second.run_id
    first.start()
    assert second.start().run.run_id == second.run_id
