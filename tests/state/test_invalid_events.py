"""Invalid events are folded if they have a time and names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import EventError, parse_event
from openlineage_facets.facets import DocumentationDatasetFacet, SQLJobFacet
from openlineage_facets.state import LineageState
from openlineage_facets.validation import read_event
from tests.cases import each
from tests.events import facet, folded
from tests.state.sample_events import RUN, at, dataset_event, documented, job_event, reading, run_event


def run_document(**changes: Any) -> dict[str, Any]:
    event = {
        "eventTime": at(1),
        "eventType": "START",
        "run": {"runId": RUN},
        "job": {"namespace": "etl", "name": "load"},
    }
    return {key: value for key, value in {**event, **changes}.items() if value is not None}


def test_invalid_facets_are_kept_as_json() -> None:
    event = run_document(
        run={"runId": RUN, "facets": {"nominalTime": {"nominalStartTime": "soon"}, "tags": ["pii"]}},
        job={"namespace": "etl", "name": "load", "facets": {"sql": {"query": 1}, "acme/~x": None}},
        inputs=[
            {
                "namespace": "db",
                "name": "orders",
                "facets": {"documentation": documented("good").to_dict(), "schema": {"fields": "id"}},
                "inputFacets": {"inputStatistics": facet(rowCount="many")},
            }
        ],
        outputs=[{"namespace": "db", "name": "daily", "outputFacets": {"outputStatistics": {}}}],
    )
    state = LineageState()
    state.apply(event)
    run = state.run(RUN)
    job, dataset = state.job("etl", "load"), state.dataset("db", "orders")
    assert run is not None
    assert job is not None
    assert dataset is not None
    assert not run.facets
    assert run.invalid_facets == {
        "/run/facets/nominalTime": {"nominalStartTime": "soon"},
        "/run/facets/tags": ["pii"],
        "/job/facets/sql": {"query": 1},
        "/job/facets/acme~1~0x": None,
    }
    assert job.invalid_facets == {"/facets/sql": {"query": 1}, "/facets/acme~1~0x": None}
    (read,) = run.inputs
    assert dict(read.facets) == dict(dataset.facets) == {"documentation": documented("good")}
    assert dataset.invalid_facets == {"/facets/schema": {"fields": "id"}}
    assert read.invalid_facets == {
        "/facets/schema": {"fields": "id"},
        "/inputFacets/inputStatistics": facet(rowCount="many"),
    }
    (written,) = run.outputs
    assert written.invalid_facets == {"/outputFacets/outputStatistics": {}}


def test_valid_and_invalid_facets_replace_each_other() -> None:
    state = folded(job_event(2, SQLJobFacet(query="select 1")))
    for second, valid in ((1, True), (3, False)):
        state.apply(
            {
                "eventTime": at(second),
                "job": {"namespace": "etl", "name": "load", "facets": {"sql": {"query": 0}}},
            }
        )
        job = state.job("etl", "load")
        assert job is not None
        assert ("sql" in job.facets) is valid
        assert bool(job.invalid_facets) is not valid


def test_tombstone_without_required_fields() -> None:
    state = folded(job_event(1, SQLJobFacet(query="select 1")))
    document = job_event(2).to_dict()
    state.apply(
        {**document, "job": {"namespace": "etl", "name": "load", "facets": {"sql": {"_deleted": True}}}}
    )
    job = state.job("etl", "load")
    assert job is not None
    assert (dict(job.facets), job.invalid_facets) == ({}, {})


def test_nested_deleted_is_not_a_tombstone() -> None:
    state = folded(job_event(1, SQLJobFacet(query='{"_deleted":true}')))
    document = {"eventTime": at(2), "job": {"namespace": "etl", "name": "load", "facets": {}}}
    document["job"]["facets"]["acme_nested"] = facet(inner={"_deleted": True}, _deleted=False)  # type: ignore[index]
    state.apply(document)
    job = state.job("etl", "load")
    assert job is not None
    assert set(job.facets) == {"sql", "acme_nested"}


def test_unknown_event_type_only_adds_metadata() -> None:
    for event_type in ("BOGUS", "start", 7):
        state = folded(run_event(0, "START"))
        state.apply(run_document(eventType=event_type, inputs=[{"namespace": "db", "name": "orders"}]))
        run = state.run(RUN)
        assert run is not None
        assert run.state == "START"
        assert len(run.inputs) == 1


def test_invalid_containers_are_empty() -> None:
    job = {"namespace": "etl", "name": "load", "facets": 1}
    state = folded(run_document(inputs={}, outputs=None, run={"runId": RUN, "facets": []}, job=job))
    run = state.run(RUN)
    assert run is not None
    assert (run.inputs, dict(run.facets), dict(run.job_facets)) == ((), {}, {})


@pytest.mark.parametrize("invalid", [None, 5, "orders", ["orders"]])
def test_datasets_that_are_not_objects_are_ignored(invalid: Any) -> None:
    state = LineageState()
    named = {"namespace": "db", "name": "orders"}
    document = run_document(inputs=[invalid, named], outputs=[named, invalid])
    state.apply(document)
    run = state.run(RUN)
    assert run is not None
    assert ([one.name for one in run.inputs], [one.name for one in run.outputs]) == (["orders"], ["orders"])
    typed = read_event(document).event
    assert typed is not None
    assert folded(typed) == state


def test_json_text_is_rejected_with_a_hint() -> None:
    text: Any = json.dumps(run_document())
    with pytest.raises(EventError, match=r"; parse_event\(\) reads JSON text$"):
        LineageState().apply(text)


def test_run_input_and_output_facets_cannot_be_deleted() -> None:
    reported = facet(_deleted=True)
    read, written = (
        {"namespace": "db", "name": "orders", f"{use}Facets": {"acme_x": reported}}
        for use in ("input", "output")
    )
    state = LineageState()
    state.apply(
        run_document(run={"runId": RUN, "facets": {"acme_x": reported}}, inputs=[read], outputs=[written])
    )
    run = state.run(RUN)
    assert run is not None
    held = (run.facets, run.inputs[0].input_facets, run.outputs[0].output_facets)
    assert [facets["acme_x"].to_dict() for facets in held] == [reported] * 3


@each(
    ("event", "pointer"),
    [
        (run_document(eventTime=None), "/eventTime"),
        (run_document(eventTime="yesterday"), "/eventTime"),
        (run_document(eventTime="2026-01-01T00:00:00"), "/eventTime"),
        (run_document(eventTime=1767225600), "/eventTime"),
        (run_document(run={}), "/run/runId"),
        (run_document(run="0195"), "/run"),
        (run_document(job=None), "/job"),
        (run_document(job={"namespace": "etl"}), "/job/name"),
        (run_document(inputs=[{"namespace": "db", "name": "a"}, {"name": "b"}]), "/inputs/1/namespace"),
        ({"eventTime": at(1), "dataset": []}, "/dataset"),
        ({"eventTime": at(1), "dataset": {"namespace": "db", "name": 1}}, "/dataset/name"),
        ({"eventTime": at(1)}, "/job"),
        (json.dumps(run_document()), ""),
        (b"{}", ""),
        (None, ""),
        ([run_document()], ""),
        (
            run_document(run={"runId": RUN, "facets": {"acme_x": {"rate": float("nan")}}}),
            "/run/facets/acme_x",
        ),
    ],
)
def test_event_without_time_or_names_is_rejected_and_changes_nothing(event: Any, pointer: str) -> None:
    state = folded(run_event(1, "START", inputs=reading(documented("kept"))))
    before = state.to_dict()
    with pytest.raises(EventError) as caught:
        state.apply(event)
    assert [finding.pointer for finding in caught.value.findings] == [pointer]
    assert state.to_dict() == before


def test_typed_event_keeps_its_kind() -> None:
    job_with_more = {**job_event(1).to_dict(), "dataset": {"note": "an unknown field, and no dataset"}}
    dataset_with_more = {**dataset_event(1).to_dict(), "job": {"note": "an unknown field, and no job"}}
    assert folded(parse_event(job_with_more)) == folded(job_event(1))
    assert folded(parse_event(dataset_with_more)) == folded(dataset_event(1))


def test_deleted_false_is_not_a_tombstone() -> None:
    state = folded(dataset_event(1, DocumentationDatasetFacet(description="here", deleted=False)))
    dataset = state.dataset("db", "orders")
    assert dataset is not None
    assert "documentation" in dataset.facets


def test_real_events_in_any_order(shared: Path) -> None:
    documents = [json.loads(path.read_text()) for path in sorted((shared / "events").rglob("*.json"))]
    assert len(documents) > 50
    forward, refused = fold_tolerantly(documents)
    backward, _ = fold_tolerantly(documents[::-1])
    typed, _ = fold_tolerantly([as_typed(document) for document in documents])
    assert [document["eventTime"] for document in refused] == ["2020-12-28T19:51:01.641499"]
    assert forward == backward == typed
    for run in forward.runs():
        assert forward.run(run) == backward.run(run) == typed.run(run)
    assert forward.lineage() == backward.lineage()
    assert forward.lineage().columns


def fold_tolerantly(documents: list[Any]) -> tuple[LineageState, list[Any]]:
    state = LineageState()
    refused = []
    for document in documents:
        try:
            state.apply(document)
        except EventError:
            refused.append(document)
    return state, refused


def as_typed(document: dict[str, Any]) -> Any:
    try:
        return parse_event(document)
    except EventError:
        return document


@each("number", ["5.0", "-0.0", "1e3", "9007199254740991.0", "9007199254740992.0", "1e16", "2.5"])
def test_numbers_are_stored_alike_from_parsed_events_and_from_dicts(number: str) -> None:
    statistics = facet(rowCount=1) if number == "2.5" else facet(rowCount=json.loads(number))
    custom = facet(ratio=json.loads(number))
    event = run_document(
        producer="https://example.com/etl",
        schemaURL="https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        outputs=[
            {
                "namespace": "db",
                "name": "daily",
                "facets": {"acme": custom},
                "outputFacets": {"outputStatistics": statistics},
            }
        ],
    )
    assert folded(event) == folded(parse_event(json.dumps(event)))


@each("null_is_absent", [False, True])
def test_nesting_that_is_too_deep_is_an_error(null_is_absent: bool) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    event = run_document(job={"namespace": "etl", "name": "load", "facets": {"acme": {"deep": deep}}})
    with pytest.raises(EventError, match="/job/facets/acme"):
        LineageState().apply(event, null_is_absent=null_is_absent)
    while deep:  # Deleting it at once takes a level of the stack for each list.
        deep = deep[0]
