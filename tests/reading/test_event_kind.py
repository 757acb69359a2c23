"""Every entry point agrees on the kind of an event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import parse_event
from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.event_kind import kind_of, strict_kind_of
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.validation import read_event, validate
from tests.cases import each
from tests.events import SPEC, event, folded

CLASSES = {"run": RunEvent, "job": JobEvent, "dataset": DatasetEvent}
ORDERS = {"namespace": "s3://lake", "name": "orders"}
DAILY = {"namespace": "etl", "name": "orders.daily"}
RUN = {"runId": "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"}


VALID = {
    "a run event": ("run", event("RunEvent", eventType="START", run=RUN, job=DAILY)),
    "a run event with an unknown field 'dataset'": (
        "run",
        event("RunEvent", eventType="START", run=RUN, job=DAILY, dataset={"note": 1}),
    ),
    "a job event": ("job", event("JobEvent", job=DAILY)),
    "a job event with an unknown field 'dataset'": ("job", event("JobEvent", job=DAILY, dataset={"note": 1})),
    "a dataset event": ("dataset", event("DatasetEvent", dataset=ORDERS)),
    "a dataset event with an unknown field 'job'": (
        "dataset",
        event("DatasetEvent", dataset=ORDERS, job={"note": 1}),
    ),
    "a dataset event with an unknown field 'job' that is null": (
        "dataset",
        event("DatasetEvent", dataset=ORDERS, job=None),
    ),
    "a dataset event with an unknown field 'run'": (
        "dataset",
        event("DatasetEvent", dataset=ORDERS, run={"note": 1}),
    ),
}


@each(("kind", "document"), VALID.values(), ids=VALID)
def test_an_event_with_the_entity_of_another_kind_as_an_unknown_field_has_its_kind_everywhere(
    kind: str, document: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert type(parse_event(document)) is type(parse_event(json.dumps(document))) is CLASSES[kind]
    assert type(read_event(document).event) is CLASSES[kind]
    assert kind_of(document) == strict_kind_of(document) == kind
    assert validate(document) == []
    state = folded(document)
    assert state == folded(parse_event(document))
    assert ([*state.datasets()] != []) is (kind == "dataset")
    assert ([*state.jobs()] != []) is (kind != "dataset")
    pytest.importorskip("typer", reason="the command is not installed")
    from openlineage_facets.cli.app import run

    path = tmp_path / "event.json"
    path.write_text(json.dumps(document))
    assert run(["show", str(path)]) == 0
    assert f"{kind} event" in capsys.readouterr().out
    assert run(["validate", str(path), "--format", "json", "--no-config"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["kinds"] == {kind: 1}


@each(
    ("kind", "document"),
    [
        ("dataset", {"dataset": ORDERS, "job": {"note": 1}}),
        ("job", {"dataset": {"note": 1}, "job": DAILY}),
        ("job", {"dataset": {"note": 1}, "job": {"note": 1}}),
        ("dataset", {"dataset": {}, "job": {}, "schemaURL": f"{SPEC}/DatasetEvent"}),
        ("dataset", {"dataset": ORDERS, "job": 3, "eventTime": "today"}),
        ("job", {"dataset": ORDERS, "job": DAILY}),
    ],
)
def test_an_invalid_event_has_the_kind_that_its_names_or_schema_url_indicate(
    kind: str, document: dict[str, Any]
) -> None:
    assert kind_of(document) == kind
    assert type(read_event(document).event) is CLASSES[kind]
    with pytest.raises(EventError):
        parse_event(document)


def test_an_event_that_is_valid_as_two_kinds_is_an_error_and_still_read() -> None:
    both = event("JobEvent", job=DAILY, dataset=ORDERS)
    (finding,) = validate(both, rules=False)
    assert (finding.code, finding.found) == ("OL002", "both in one")
    with pytest.raises(EventError, match="both in one"):
        parse_event(both)
    assert type(read_event(both).event) is JobEvent
    state = folded(both)
    assert len([*state.jobs()]) == 1
    assert [*state.datasets()] == []


def test_an_event_without_an_entity_has_no_kind() -> None:
    assert kind_of({"eventTime": "2026-11-21T08:30:00Z"}) is None
    with pytest.raises(EventError, match="an event without a run, job or dataset"):
        strict_kind_of({})
