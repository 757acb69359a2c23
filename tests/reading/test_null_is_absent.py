"""With `null_is_absent`, fields that are null are read as absent, as in exports of Marquez."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError, parse_event, read_event, validate
from openlineage_facets.base.json.json_input import without_null_fields
from tests.cases import each
from tests.events import DATASET, EVENT, FACET, JOB, RUN_ID
from tests.reading.examples import VALID

EXPORTED: dict[str, Any] = {
    **EVENT,
    "eventType": "COMPLETE",
    "run": {"runId": RUN_ID, "facets": {"nominalTime": None, "parent": None, "errorMessage": None}},
    "job": {
        **JOB,
        "facets": {"documentation": None, "sql": {**FACET, "query": "SELECT 1"}, "sourceCodeLocation": None},
    },
    "inputs": [{**DATASET, "facets": {"schema": None, "lifecycleStateChange": None}, "inputFacets": None}],
    "outputs": [
        {
            **DATASET,
            "facets": {
                "schema": {**FACET, "fields": [{"name": "amount", "type": None, "description": None}]},
                "ownership": None,
            },
            "outputFacets": None,
        }
    ],
}
"""An event as Marquez returns it: with all facets that it knows, and null for those that are absent."""


def test_an_export_is_invalid_by_default() -> None:
    with pytest.raises(EventError, match="/run/facets/nominalTime"):
        parse_event(EXPORTED)


@each("convert", [dict, json.dumps, lambda event: json.dumps(event, indent=2).encode()])
def test_an_export_is_valid_if_null_is_absent(convert: Any) -> None:
    event: Any = parse_event(convert(EXPORTED), null_is_absent=True)
    assert event.run.facets == {}
    assert event.job.facets.sql.query == "SELECT 1"
    assert event.outputs[0].facets.schema.fields[0].type is None
    assert event.to_dict() == without_null_fields(EXPORTED)
    assert validate(convert(EXPORTED), null_is_absent=True, rules=False) == []
    reading = read_event(convert(EXPORTED), null_is_absent=True, rules=False)
    assert (reading.event, reading.findings, reading.raw) == (event, [], event.to_dict())


@each("path", VALID, ids=lambda path: path.stem)
def test_events_without_nulls_are_read_as_before(path: Any) -> None:
    document = without_null_fields(json.loads(path.read_text()))
    assert parse_event(document, null_is_absent=True) == parse_event(document)


def test_numbers_are_read_as_they_are_written() -> None:
    facet = {**FACET, "rowCount": "@", "acme": [None, '"9007199254740993.0"', "\\"]}
    event = {**EXPORTED, "outputs": [{**DATASET, "outputFacets": {"outputStatistics": facet}}]}
    text = json.dumps(event).replace('"@"', "{}")
    with pytest.raises(EventError, match=r"/rowCount: expected an integer, found 9007199254740993\.0"):
        parse_event(text.replace("{}", "9007199254740993.0", 1), null_is_absent=True)
    whole = text.replace("{}", "1.50e2", 1)
    assert parse_event(whole, null_is_absent=True).to_dict() == without_null_fields(json.loads(whole))
    assert validate(whole.replace("1.50e2", "01.5"), null_is_absent=True)[0].code == "OL001"


def test_a_required_field_that_is_null_is_missing() -> None:
    event = {**EXPORTED, "job": {**JOB, "namespace": None}, "eventTime": "2026-03-29 01:04"}
    text = json.dumps(event, indent=1)
    lines = text.split("\n")
    findings = {one.pointer: one for one in validate(text, null_is_absent=True)}
    assert findings["/job/namespace"].message.startswith("missing required field 'namespace'")
    line = findings["/eventTime"].line
    assert line is not None
    assert '"eventTime"' in lines[line - 1], "lines are those of the original text"


def test_items_of_arrays_and_invalid_json_are_not_changed() -> None:
    with pytest.raises(EventError, match="/inputs/0"):
        parse_event({**EVENT, "job": JOB, "inputs": [None]}, null_is_absent=True)
    with pytest.raises(EventError, match="valid JSON"):
        parse_event('{"job": null', null_is_absent=True)
    assert validate("null", null_is_absent=True) == validate("null")


@given(st.recursive(st.none() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_no_object_has_null_fields(value: Any) -> None:
    def null_fields(part: Any) -> int:
        if isinstance(part, list):
            return sum(map(null_fields, part))
        if isinstance(part, dict):
            return sum(field is None or null_fields(field) for field in part.values())
        return 0

    assert null_fields(without_null_fields(value)) == 0
