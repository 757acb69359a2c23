"""Events of openlineage-python are accepted where events are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import event_v2
from openlineage.client.serde import Serde

from openlineage_facets import EventError, parse_event, read_event, validate
from openlineage_facets.emitters import EmissionError, FileEmitter, MultiEmitter, SpoolEmitter
from openlineage_facets.state import LineageState
from tests.cases import each
from tests.events import folded
from tests.openlineage_python.client_events import EVENTS, PRODUCER, RUN_ID, TIME, run_event

each_event = each("create", EVENTS)


@each_event
def test_parsing_returns_what_the_client_writes(create: Callable[[], Any]) -> None:
    event = create()
    assert parse_event(event).to_dict() == json.loads(Serde.to_json(event))
    assert read_event(event).event == parse_event(event)
    assert validate(event, rules=False) == []


def test_facets_are_typed() -> None:
    event: Any = parse_event(run_event())
    assert event.outputs[0].output_facets.output_statistics.row_count == 365
    details = {"when": "2026-03-29T01:04:00+00:00", "id": RUN_ID}
    assert event.run.facets["acme_cost"].to_dict()["details"] == details


def test_events_of_the_first_api_are_accepted() -> None:
    from openlineage.client import facet, run

    engine = facet.ProcessingEngineRunFacet("4.1.0", "Spark", "1.54.0")
    old: Any = run.RunEvent(
        run.RunState.START,
        TIME,
        run.Run(RUN_ID, {"processing_engine": engine}),
        run.Job("etl", "orders.daily"),
        PRODUCER,
    )
    assert parse_event(old).to_dict() == json.loads(Serde.to_json(old))


def test_what_the_client_accepts_and_the_specification_does_not_is_reported() -> None:
    event = run_event()
    event.eventTime = "2026-03-29T01:04"
    event.outputs[0].outputFacets["outputStatistics"].rowCount = "many"  # type: ignore[index,union-attr]
    pointers = ["/eventTime", "/outputs/0/outputFacets/outputStatistics/rowCount"]
    assert [one.pointer for one in validate(event) if one.severity == "error"] == pointers
    with pytest.raises(EventError):
        parse_event(event)


def test_a_part_of_an_event_is_not_an_event(tmp_path: Path) -> None:
    part: Any = event_v2.Job("etl", "orders.daily")
    for read in (parse_event, LineageState().apply):
        with pytest.raises(EventError, match="pass the event that contains it"):
            read(part)
    with pytest.raises(EmissionError, match="expected an event"):
        FileEmitter(tmp_path / "lineage.ndjson", on_error="raise").emit(part)


def test_values_that_json_cannot_represent_are_reported_with_their_location() -> None:
    event = run_event()
    event.run.facets["acme_cost"].details["spark"] = object()  # type: ignore[index,union-attr]
    (finding,) = validate(event)
    assert (finding.pointer, finding.expected) == ("/run/facets/acme_cost/details/spark", "a JSON value")


@each_event
def test_emitters_send_what_the_client_writes(create: Callable[[], Any], tmp_path: Path) -> None:
    event = create()
    received: list[Any] = []
    with (
        SpoolEmitter(received.append, tmp_path / "spool") as spool,
        MultiEmitter(FileEmitter(tmp_path / "lineage.ndjson"), spool) as emitter,
    ):
        emitter.emit(event)
    written = json.loads((tmp_path / "lineage.ndjson").read_text())
    assert written == json.loads(Serde.to_json(event))
    assert [one.to_dict() for one in received] == [written]


def test_states_fold_them() -> None:
    state = folded(*(create() for create in EVENTS))
    assert state == folded(*(parse_event(create()) for create in EVENTS))
    assert [job.name for job in state.jobs()] == ["orders.daily"]
