"""An error has one line per finding, with its JSON Pointer, and describes the likeliest intention."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from openlineage_facets import EventError, JobEvent, RunEvent, parse_event
from openlineage_facets.facets import SQLJobFacet
from tests.cases import each
from tests.events import (
    DATASET,
    EVENT,
    FACET,
    JOB,
    RUN_ID,
    dataset_event,
    job_event,
    on_input,
    on_job,
    on_output,
    on_run,
    run_event,
)

MISSING = ("the required field", "nothing")
A_UUID = "a UUID"
A_DATE_TIME = "an RFC 3339 date-time with an offset"
PROPOSED = {
    **FACET,
    "_schemaURL": "https://openlineage.io/spec/facets/1-1-1/TagFacet.json#/$defs/TagJobFacet",
}
COMPARISON = {
    "type": "compare",
    "comparison": "EQUAL",
    "left": {"type": "field"},
    "right": {"type": "literal"},
}


def conditions(left: Any) -> dict[str, Any]:
    """Return a subset facet with a condition deep in it."""
    leaf = {"type": "location", "locations": []}
    inner = {"type": "binary", "operator": "AND", "left": left, "right": leaf}
    return {**FACET, "inputCondition": {"type": "binary", "operator": "OR", "left": leaf, "right": inner}}


BROKEN: dict[str, tuple[Any, dict[str, tuple[str, str]]]] = {
    # what is wrong: the event, and for each place what was expected (how it begins) and what was found
    "an invalid run id": (run_event(run={"runId": "seven"}), {"/run/runId": (A_UUID, '"seven"')}),
    "a time without an offset": (
        job_event(eventTime="2026-11-21T08:30:00"),
        {"/eventTime": (A_DATE_TIME, '"2026-11-21T08:30:00"')},
    ),
    "an unknown event type": (
        run_event(eventType="start"),
        {"/eventType": ("one of 'START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL' or 'OTHER'", '"start"')},
    ),
    "a run without its job": ({**EVENT, "run": {"runId": RUN_ID}}, {"/job": MISSING}),
    "no envelope at all": (
        {"run": {"runId": RUN_ID}, "job": JOB},
        {"/eventTime": MISSING, "/producer": MISSING, "/schemaURL": MISSING},
    ),
    "a job that is a string": (job_event(job="orders"), {"/job": ("an object", '"orders"')}),
    "a dataset without a name": (dataset_event(dataset={"namespace": "s3"}), {"/dataset/name": MISSING}),
    "inputs that are an object": (job_event(inputs=DATASET), {"/inputs": ("an array", "an object")}),
    "two broken inputs of three": (
        job_event(inputs=[{"name": "a"}, DATASET, {"namespace": 7, "name": "c"}]),
        {"/inputs/0/namespace": MISSING, "/inputs/2/namespace": ("a string", "7")},
    ),
    "a column without a name": (
        job_event(
            inputs=[
                {**DATASET, "facets": {"schema": {**FACET, "fields": [{"name": "a"}, {"name": "b"}, {}]}}}
            ]
        ),
        {"/inputs/0/facets/schema/fields/2/name": MISSING},
    ),
    "a facet without its envelope": (
        on_run("nominalTime", {"nominalStartTime": "2026-11-21T00:00:00Z"}),
        {"/run/facets/nominalTime/_producer": MISSING, "/run/facets/nominalTime/_schemaURL": MISSING},
    ),
    "a number in quotes": (
        on_output("outputStatistics", {**FACET, "rowCount": "10"}),
        {"/outputs/0/outputFacets/outputStatistics/rowCount": ("an integer", '"10"')},
    ),
    "a number out of range": (
        on_job(
            "jobType",
            {
                **FACET,
                "processingType": "BATCH",
                "integration": "SPARK",
                "emissionPattern": {"eventTrigger": "t", "eventContentMode": "m", "windowDuration": 0},
            },
        ),
        {"/job/facets/jobType/emissionPattern/windowDuration": ("a number of at least 1", "0")},
    ),
    "a key with slash and tilde": (
        on_input("dataQualityMetrics", {**FACET, "columnMetrics": {"a/b~c": {"sum": "7"}}}),
        {"/inputs/0/inputFacets/dataQualityMetrics/columnMetrics/a~1b~0c/sum": ("a number", '"7"')},
    ),
    "a field of another name where none may be": (
        on_run("executionParameters", {**FACET, "parameters": [{"key": "k", "vaule": "v"}]}),
        {"/run/facets/executionParameters/parameters/0/vaule": ("no such field", '"v"')},
    ),
    "an entry of a union without what its type needs": (
        on_job("lineage", {**FACET, "entries": [{"type": "DATASET", "name": "orders"}]}),
        {"/job/facets/lineage/entries/0/namespace": MISSING},
    ),
    "an entry of a union of no known type": (
        on_job("lineage", {**FACET, "entries": [{"type": "JOB"}, {"type": "TABLE"}]}),
        {"/job/facets/lineage/entries/1/type": ("one of 'DATASET', 'JOB'", '"TABLE"')},
    ),
    "an entry of a union without a type": (
        on_job("lineage", {**FACET, "entries": [{}]}),
        {"/job/facets/lineage/entries/0/type": MISSING},
    ),
    "an entry of a union that is not an object": (
        on_job("lineage", {**FACET, "entries": ["orders"]}),
        {"/job/facets/lineage/entries/0": ("an object", '"orders"')},
    ),
    "a union within a union": (
        on_job(
            "lineage", {**FACET, "entries": [{"type": "JOB", "inputs": [{"type": "DATASET", "name": "n"}]}]}
        ),
        {"/job/facets/lineage/entries/0/inputs/0/namespace": MISSING},
    ),
    "a field without the one it depends on": (
        on_job("lineage", {**FACET, "entries": [{"type": "JOB", "name": "n"}]}),
        {"/job/facets/lineage/entries/0": ("namespace with name", "only name")},
    ),
    "a recursive union, broken in two places": (
        on_input("subset", conditions(COMPARISON)),
        {
            "/inputs/0/inputFacets/subset/inputCondition/right/left/left/field": MISSING,
            "/inputs/0/inputFacets/subset/inputCondition/right/left/right/value": MISSING,
        },
    ),
    "a facet of the other side": (
        on_output("subset", {**FACET, "inputCondition": {"type": "location", "locations": []}}),
        {"/outputs/0/outputFacets/subset/outputCondition": MISSING},
    ),
    "a facet that is not deleted": (
        on_job("sql", {**FACET, "_deleted": False}),
        {"/job/facets/sql/query": MISSING},
    ),
    "a facet that is half deleted": (
        on_job("sql", {**FACET, "query": "SELECT 1", "_deleted": "yes"}),
        {"/job/facets/sql/_deleted": ("true or false", '"yes"')},
    ),
    "a deleted facet without its envelope": (
        on_job("sql", {"_producer": "p", "_deleted": True}),
        {"/job/facets/sql/_schemaURL": MISSING},
    ),
    "a deleted facet of a run, which runs do not have": (
        on_run("errorMessage", {**FACET, "_deleted": True}),
        {
            "/run/facets/errorMessage/message": MISSING,
            "/run/facets/errorMessage/programmingLanguage": MISSING,
        },
    ),
    "a tag of the proposal with null": (
        on_job("tags", {**PROPOSED, "tags": [{"key": "level", "value": None}]}),
        {"/job/facets/tags/tags/0/value": ("a string or a number or true or false", "null")},
    ),
    "a tag of the proposal without a value": (
        on_job("tags", {**PROPOSED, "tags": [{"key": "level"}]}),
        {"/job/facets/tags/tags/0/value": MISSING},
    ),
    "a facet quoted in a facet, without its envelope": (
        on_run(
            "parent",
            {**FACET, "run": {"runId": RUN_ID, "facets": {"nominalTime": {"_producer": "p"}}}, "job": JOB},
        ),
        {"/run/facets/parent/run/facets/nominalTime/_schemaURL": MISSING},
    ),
    "a number JSON cannot write": (
        job_event(acme=[{"nan": float("nan")}]),
        {"/acme/0/nan": ("a finite JSON value", "nan")},
    ),
    "no event at all": ([], {"": ("JSON text or a dict of JSON values", "an empty array")}),
    "an empty object": ({}, {"": ("a run and a job, a job, or a dataset", "nothing")}),
    "a job and a dataset": (
        {**EVENT, "job": JOB, "dataset": DATASET},
        {"": ("a job event or a dataset event", "both in one")},
    ),
}


@each("what", BROKEN)
def test_an_error_names_every_location_and_expected_value_in_a_line(what: str):
    event, expected = BROKEN[what]
    with pytest.raises(EventError) as caught:
        parse_event(event)
    if what not in ("a number JSON cannot write", "no event at all"):  # Their text is none of JSON.
        with pytest.raises(EventError) as of_text:
            parse_event(json.dumps(event))
        assert of_text.value.findings == caught.value.findings
    findings = {finding.pointer: finding for finding in caught.value.findings}
    assert list(findings) == list(expected)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(expected)
    for line in lines:
        assert re.fullmatch(
            r"(\(root\)|(/[^/ ]*)+): (expected .+, found .+|(missing|unknown|an event) .+)", line
        )
    for pointer, (begins, found) in expected.items():
        assert findings[pointer].expected.startswith(begins)
        assert findings[pointer].found == found


def test_an_error_reads_like_this():
    event = run_event(
        run={"runId": "seven"},
        outputs=[{**DATASET, "outputFacets": {"outputStatistics": {**FACET, "rowCount": "10"}}}],
        job={"namespace": "etl"},
    )
    with pytest.raises(EventError) as caught:
        parse_event(event)
    assert str(caught.value).splitlines() == [
        '/run/runId: expected a UUID, such as 0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d, found "seven"',
        "/job/name: missing required field 'name'",
        '/outputs/0/outputFacets/outputStatistics/rowCount: expected an integer, found "10"',
    ]


@each(
    ("event", "about"),
    [
        (run_event(run={}, job={}), ["/run/runId", "/job/namespace", "/job/name"]),
        (run_event(run={}, dataset=DATASET), ["/run/runId"]),
        (run_event(job={}), ["/job/namespace", "/job/name"]),
        (job_event(job={}), ["/job/namespace", "/job/name"]),
        (job_event(job={}, dataset={}), ["/job/namespace", "/job/name"]),
        (dataset_event(dataset={}), ["/dataset/namespace", "/dataset/name"]),
        (dataset_event(dataset={}, run={}), ["/dataset/namespace", "/dataset/name"]),
        ({**EVENT, "run": {"runId": RUN_ID}}, ["/job"]),
    ],
)
def test_errors_are_those_of_the_likeliest_kind_of_event(event: dict[str, Any], about: list[str]):
    with pytest.raises(EventError) as caught:
        parse_event(event)
    assert [finding.pointer for finding in caught.value.findings] == about


def test_errors_of_a_class_are_only_about_that_class():
    with pytest.raises(EventError) as caught:
        RunEvent.from_json(job_event())
    assert [finding.pointer for finding in caught.value.findings] == ["/run"]
    with pytest.raises(EventError) as caught:
        SQLJobFacet.from_json(FACET)
    assert [finding.pointer for finding in caught.value.findings] == ["/query"]
    with pytest.raises(
        EventError, match="no run, found run; remove 'run'|'run' is not allowed; remove 'run'"
    ):
        JobEvent.from_json(run_event())


@each("key", ["line\nbreak", "\r", "\u2028", "\x85", "\x0b\x1c", "tab\t", "\x00", "é/~ "])
def test_a_key_cannot_break_the_line(key: str):
    with pytest.raises(EventError) as caught:
        parse_event(on_job(key, 7))
    [finding] = caught.value.findings
    assert finding.pointer == f"/job/facets/{key.replace('~', '~0').replace('/', '~1')}"
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).isprintable()


@each(
    ("value", "shown"),
    [
        (None, "null"),
        (False, "false"),
        (7, "7"),
        (1.5, "1.5"),
        ([], "an empty array"),
        ([7], "an array"),
        ({}, "an empty object"),
        ({"a": 7}, "an object"),
    ],
)
def test_a_value_is_described_with_json_types(value: Any, shown: str):
    with pytest.raises(EventError) as caught:
        parse_event(job_event(producer=value))
    [finding] = caught.value.findings
    assert (finding.pointer, finding.found) == ("/producer", shown)


def test_a_long_value_is_truncated_and_special_characters_are_escaped():
    with pytest.raises(EventError) as caught:
        parse_event(run_event(eventType="x\n\u2028é" * 1_000))
    [finding] = caught.value.findings
    assert len(finding.found) < 100
    assert finding.found.isprintable()
    assert finding.found.isascii()
