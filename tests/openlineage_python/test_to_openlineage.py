"""`to_openlineage` converts events to objects of openlineage-python without loss."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from openlineage.client import OpenLineageClient, event_v2, facet_v2
from openlineage.client.generated.base import RunFacet
from openlineage.client.serde import Serde
from openlineage.client.transport import Config, Transport

from openlineage_facets import EventError, Job, RunEvent, parse_event, read_event, to_openlineage
from openlineage_facets.base.json.json_input import without_null_fields
from openlineage_facets.testing import strategies
from openlineage_facets.version import install_command
from tests.cases import each
from tests.events import DATASET, FACET, JOB, on_dataset, on_job, on_run, run_event
from tests.hypothesis_profiles import share
from tests.openlineage_python.client_events import EVENTS, RUN_ID
from tests.openlineage_python.client_events import run_event as run_event_of_the_client
from tests.reading.examples import VALID

FACETS = "https://openlineage.io/spec/facets"


def converted_or_lost(event: Any) -> tuple[Any, set[str]]:
    """Return an event as the client's object, or the pointers of what the client cannot represent."""
    try:
        return to_openlineage(event), set()
    except EventError as error:
        return None, {finding.pointer for finding in error.findings}


@each("create", EVENTS)
def test_events_of_the_client_survive_the_round_trip(create: Callable[[], Any]) -> None:
    original = create()
    converted = to_openlineage(parse_event(original))  # type: ignore[call-overload]
    assert type(converted) is type(original)
    assert Serde.to_json(converted) == Serde.to_json(original)


def test_parts_and_facets_are_of_the_classes_of_the_client() -> None:
    event: Any = to_openlineage(RunEvent.from_json(Serde.to_json(run_event_of_the_client())))
    assert event.eventType is event_v2.RunState.COMPLETE
    (output,) = event.outputs
    change, lineage = output.facets["lifecycleStateChange"], output.facets["columnLineage"]
    kind = facet_v2.lifecycle_state_change_dataset.LifecycleStateChange
    assert change.lifecycleStateChange is kind.OVERWRITE
    for part, cls in (
        (output, event_v2.OutputDataset),
        (event.run.facets["parent"], facet_v2.parent_run.ParentRunFacet),
        (event.run.facets["parent"].job, facet_v2.parent_run.Job),
        (event.run.facets["acme_cost"], RunFacet),
        (lineage.fields["amount"].inputFields[0], facet_v2.column_lineage_dataset.InputField),
    ):
        assert isinstance(part, cls)
    assert event.run.facets["acme_cost"].usd == 1.5


@each("path", VALID, ids=lambda path: path.stem)
def test_every_valid_example_is_converted_without_loss_or_reported(path: Any) -> None:
    event = parse_event(json.loads(path.read_text()))
    converted, lost = converted_or_lost(event)
    assert lost or parse_event(converted) == event
    nulls = without_null_fields(event.to_dict())
    in_facets = {pointer for pointer in lost if "acets/" in pointer}
    assert in_facets == set() or converted_or_lost(parse_event(nulls))[1].isdisjoint(in_facets)


@given(event=strategies.events())
@settings(max_examples=share(0.6), suppress_health_check=list(HealthCheck))
def test_generated_events_are_converted_without_loss_or_reported(event: Any) -> None:
    document = without_null_fields(event if isinstance(event, dict) else event.to_dict())
    read: Any = read_event(document).event
    converted, lost = converted_or_lost(read)
    assert lost or json.loads(Serde.to_json(converted)) == document


@each(
    ("owner", "key", "facet"),
    [
        ("job", "sql", {**FACET, "query": "SELECT 1", "x-dialect": "spark", "class": 1, "_hidden": 1}),
        ("job", "sql", {**FACET, "query": "SELECT 1", "producer": "nested", "deleted": "no"}),
        ("job", "sql", {**FACET, "_schemaURL": f"{FACETS}/1-0-0/SQLJobFacet.json", "query": "x"}),
        ("job", "sql", {**FACET, "_deleted": True}),
        (
            "dataset",
            "schema",
            {**FACET, "fields": [{"name": "a", "acmeUnit": "EUR", "fields": [{"name": "b"}]}]},
        ),
    ],
    ids=["unknown fields", "names of arguments", "an older version", "a tombstone", "unknown fields inside"],
)
def test_facets_are_unchanged(owner: str, key: str, facet: dict[str, Any]) -> None:
    document = on_job(key, facet) if owner == "job" else on_dataset(key, facet)
    event: Any = parse_event(document)
    assert parse_event(to_openlineage(event)) == event


@each(
    ("change", "pointer"),
    [
        ({"acme": 1}, "/acme"),
        ({"run": {"runId": RUN_ID, "acme": {"tier": 1}}}, "/run/acme"),
        ({"job": {**JOB, "facets": {"acme": {**FACET, "note": None}}}}, "/job/facets/acme/note"),
        ({"inputs": [{**DATASET, "acme": []}]}, "/inputs/0/acme"),
    ],
)
def test_what_the_client_cannot_represent_is_an_error(change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(EventError, match="ClientEmitter sends the event unchanged") as caught:
        to_openlineage(RunEvent.from_json(run_event(**change)))
    assert [finding.pointer for finding in caught.value.findings] == [pointer]


def test_converted_events_can_be_copied_pickled_and_sent_by_the_client() -> None:
    sent: list[Any] = []

    class Recording(Transport):
        kind = "recording"
        config_class = Config

        def emit(self, event: Any) -> None:
            sent.append(Serde.to_dict(event))

    event = RunEvent.from_json(on_run("acme_cost", {**FACET, "usd": 1.5}))
    converted = to_openlineage(event)
    OpenLineageClient(transport=Recording()).emit(copy.deepcopy(pickle.loads(pickle.dumps(converted))))
    (document,) = sent
    assert document["run"]["facets"]["acme_cost"]["usd"] == 1.5
    assert document["job"] == JOB


def test_the_client_is_only_imported_to_convert_and_a_missing_one_is_reported_with_a_fix() -> None:
    code = """
import sys
from openlineage_facets import Job, JobEvent, parse_event, to_openlineage, validate
from tests.events import folded
event = JobEvent(job=Job(namespace="etl", name="daily"))
validate(parse_event(event.to_json())), folded(event)
print([name for name in sys.modules if name.partition(".")[0] == "openlineage"])
sys.modules["openlineage"] = None
try:
    to_openlineage(event)
except ImportError as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    problem = f"to_openlineage needs openlineage-python: {install_command('client')}"
    assert ended.stdout.splitlines() == ["[]", problem]


@each("value", [None, {}, "event", Job(namespace="etl", name="daily")], ids=repr)
def test_what_is_no_event_is_an_error(value: Any) -> None:
    with pytest.raises(
        EventError, match=r"\(root\): expected a RunEvent, a JobEvent or a DatasetEvent, found"
    ):
        to_openlineage(value)


@each(
    ("tags", "pointer"),
    [
        ({"tags": [{"key": "pii", "value": "true", "field": "name"}]}, "/run/facets/tags/tags/0"),
        ({"tags": [{"key": "pii"}]}, "/run/facets/tags/tags/0"),
    ],
)
def test_tags_that_the_client_cannot_read_are_refused_before_it_fails(tags: Any, pointer: str) -> None:
    event = run_event(run={"runId": RUN_ID, "facets": {"tags": {**FACET, **tags}}})
    assert converted_or_lost(read_event(event).event) == (None, {pointer})
