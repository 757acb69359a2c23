"""`replace` returns a changed copy, validated like a new value."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets import EventError, Run, RunEvent
from openlineage_facets.facets import RunFacet, RunFacets
from tests.cases import each
from tests.composing.orders import PRODUCER, RUN_ID, columns, full_event, job, nominal_time, run_event, sql


def test_the_copy_differs_only_in_the_change() -> None:
    started = full_event()
    before = started.to_dict()
    done = started.replace(event_type="COMPLETE")
    assert done.to_dict() == {**before, "eventType": "COMPLETE"}
    assert done == started.replace(eventType="COMPLETE")
    assert type(done) is RunEvent
    assert "eventType" not in started.replace(event_type=None).to_dict()
    assert started.to_dict() == before


def test_defaults_are_not_computed_again() -> None:
    event = run_event(producer=PRODUCER)
    again = event.replace(event_type="COMPLETE")
    assert (again.event_time, again.producer, again.run.run_id) == (event.event_time, PRODUCER, RUN_ID)


def test_lists_of_facets_become_containers() -> None:
    run = Run(run_id=RUN_ID).replace(facets=[nominal_time()])
    assert run.facets == RunFacets([nominal_time()])


def test_unknown_fields_are_kept() -> None:
    assert (
        RunFacet(usd=1.5, cluster="blue").replace(usd=2).to_dict().items()
        >= {"usd": 2, "cluster": "blue"}.items()
    )


def test_a_facet_read_with_unknown_fields_can_be_changed() -> None:
    wire = {**sql().to_dict(), "dialect": "spark"}
    changed = type(sql()).from_json(wire).replace(query="select 2")
    assert changed.to_dict() == {**wire, "query": "select 2"}


def test_nothing_changed_gives_an_equal_value() -> None:
    for value in (full_event(), columns("id"), RunFacet(x=None), job(facets=[])):
        assert value.replace() == value
        assert value.replace().to_json() == value.to_json()


WRONG: dict[str, dict[str, Any]] = {
    "a wrong value": {"event_type": "BOGUS"},
    "a required field taken out": {"job": None},
    "a required field of the base taken out": {"producer": None},
    "an unknown name": {"event_tipe": "FAIL"},
    "an unknown name without a value": {"event_tipe": None},
    "a field by both names": {"event_type": "FAIL", "eventType": "FAIL"},
    "a relative producer": {"producer": "etl"},
    "a naive time": {"event_time": "2026-11-21T00:00:00"},
}


@each("changes", WRONG.values(), ids=WRONG)
def test_an_invalid_change_is_rejected(changes: dict[str, Any]) -> None:
    with pytest.raises(EventError):
        full_event().replace(**changes)


def test_an_invalid_change_is_reported_at_its_location() -> None:
    with pytest.raises(EventError) as rejected:
        full_event().replace(inputs=[3])
    assert [finding.pointer for finding in rejected.value.findings] == ["/inputs/0"]
