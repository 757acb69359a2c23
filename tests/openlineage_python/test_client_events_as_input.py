"""Events of openlineage-python are accepted where events are."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import event_v2
from openlineage.client.serde import Serde

from openlineage_facets import EventError, RunEvent, parse_event, read_event, validate
from openlineage_facets.emitters import EmissionError, FileEmitter, MultiEmitter, SpoolEmitter
from openlineage_facets.state import LineageState
from tests.cases import each
from tests.events import folded
from tests.openlineage_python.client_events import EVENTS, RUN_ID, run_event

each_event = each("create", EVENTS)


@each_event
def test_parsing_returns_what_the_client_writes(create: Callable[[], Any]) -> None:
    event = create()
    assert parse_event(event).to_dict() == json.loads(Serde.to_json(event))
    assert read_event(event).event == parse_event(event)
    assert validate(event, rules=False) == []


def test_facets_are_typed() -> None:
    event = parse_event(run_event())
    assert isinstance(event, RunEvent)
    assert event.run.facets is not None
    assert event.outputs is not None
    statistics = event.outputs[0].output_facets
    assert statistics is not None
    assert statistics.output_statistics is not None
    assert statistics.output_statistics.row_count == 365
    assert event.run.facets["acme_cost"].to_dict()["details"] == {
        "when": "2026-03-29T01:04:00+00:00",
        "id": RUN_ID,
    }


def test_events_of_the_first_api_are_accepted() -> None:
    from openlineage.client import facet, run

    old: Any = run.RunEvent(
        run.RunState.START,
        "2026-03-29T01:00:00Z",
        run.Run(RUN_ID, {"processing_engine": facet.ProcessingEngineRunFacet("4.1.0", "Spark", "1.54.0")}),
        run.Job("etl", "orders.daily"),
        "https://example.com/v7/etl",
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


def test_a_part_of_an_event_is_not_an_event() -> None:
    part: Any = event_v2.Job("etl", "orders.daily")
    with pytest.raises(EventError, match="pass the event that contains it"):
        parse_event(part)
    with pytest.raises(EventError, match="pass the event that contains it"):
        LineageState().apply(part)


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


def test_emitting_a_part_of_an_event_is_an_error(tmp_path: Path) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson", on_error="raise")
    with pytest.raises(EmissionError, match="expected an event"):
        emitter.emit(event_v2.Job("etl", "orders.daily"))


def test_states_fold_them() -> None:
    state = folded(*(create() for create in EVENTS))
    assert state == folded(*(parse_event(create()) for create in EVENTS))
    assert [job.name for job in state.jobs()] == ["orders.daily"]


def test_the_client_is_not_imported() -> None:
    code = """
import sys, openlineage_facets
from openlineage_facets import parse_event, to_openlineage, validate
from openlineage_facets.state import LineageState
from tests.events import folded
validate("{}")
print([name for name in sys.modules if name.partition(".")[0] == "openlineage"])
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
