"""Events, entities and facets are immutable and compared by content."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets import Run, Timestamp
from openlineage_facets.facets import RunFacet, SQLJobFacet
from tests.cases import each
from tests.composing.orders import RUN_ID, columns, full_event, job, nominal_time, run_event, sql

VALUES = [full_event(), job(), sql(), columns("id"), RunFacet(usd=1.5)]


@each("value", VALUES, ids=lambda value: type(value).__name__)
@each("name", ["producer", "name", "query", "unknown", "usd"])
def test_assignment_raises(value: Any, name: str) -> None:
    before = value.to_json()
    words = rf"^{type(value).__name__} is immutable; replace\({name}=\.\.\.\) returns a changed copy$"
    with pytest.raises(AttributeError, match=words):
        setattr(value, name, "changed")
    assert value.to_json() == before


def test_deletion_raises() -> None:
    event = run_event()
    with pytest.raises(AttributeError, match=r"^RunEvent is immutable; replace\(event_type=None\) returns"):
        del event.event_type
    assert event.event_type == "START"


def test_a_change_in_the_callers_list_does_not_reach_the_value() -> None:
    fields = list(columns("id").fields or ())
    facet = columns("id").replace(fields=fields)
    fields.clear()
    assert facet == columns("id")


@each(
    "change",
    [{"event_type": "FAIL"}, {"event_type": None}, {"inputs": []}, {"job": job(name="other")}],
    ids=str,
)
def test_different_content_is_not_equal(change: dict[str, Any]) -> None:
    event = run_event()
    assert event.replace(**change) != event


def test_unknown_fields_count_in_comparison() -> None:
    assert RunFacet(usd=1) == RunFacet(usd=1)
    assert RunFacet(usd=1) != RunFacet(usd=2)
    assert RunFacet(usd=None) != RunFacet()


def test_values_of_different_classes_are_not_equal() -> None:
    wire = {"query": "select 1"}
    assert SQLJobFacet(query="select 1") != wire
    assert Run(run_id=RUN_ID) != job()


def test_times_in_different_offsets_are_equal_at_the_same_instant() -> None:
    plain, fraction = nominal_time("2026-11-21T08:30:00Z"), nominal_time("2026-11-21T09:30:00.000+01:00")
    assert plain == fraction
    assert plain.to_json() != fraction.to_json()


def test_a_value_of_plain_fields_is_hashable() -> None:
    assert {sql(), sql(), sql("select 2")} == {sql(), sql("select 2")}
    assert len({columns("id"), columns("id"), RunFacet(usd=1.5), RunFacet(usd=1.5)}) == 2
    assert hash(run_event(event_time=Timestamp("2026-11-21T08:30:00Z"))) == hash(
        run_event(event_time="2026-11-21T09:30:00+01:00")
    )


def test_values_with_facets_are_hashable() -> None:
    moment = "2026-11-21T08:30:00Z"
    one, same = (full_event().replace(event_time=moment) for _ in range(2))
    assert len({one, same}) == len({one.run.facets, same.run.facets}) == 1
    assert len({one, one.replace(event_time="2026-11-22T08:30:00Z")}) == 2
    assert len({Run(run_id=RUN_ID, facets={"acme_x": RunFacet(x={"y": number})}) for number in (1, 2)}) == 2
