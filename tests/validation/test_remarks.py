"""Warnings beside the schema: URIs that are none, and fields that look misspelt."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets import validate
from openlineage_facets.validation.uris import is_uri
from tests.reading.examples import (
    DATASET,
    EVENT,
    FACET,
    JOB,
    RUN_ID,
    job_event,
    on_dataset,
    on_input,
    on_job,
    on_output,
    on_run,
    run_event,
)


def warned(event: Any, code: str) -> list[str]:
    return [finding.pointer for finding in validate(event) if finding.code == code]


@pytest.mark.parametrize(
    "uri",
    [
        "https://example.com/etl/v7",
        "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "pkg:pypi/openlineage-facets@1.0",
        "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66",
        "s3://lake/raw/orders%20new?x=1#y",
        "jdbc:postgresql://db:5432/shop?user=a&ssl=true",
        "http://[::1]:8080/x",
        "http://user:secret@host:1/",
        "mailto:a@b.c",
        "file:///etc/hosts",
        "a:",
    ],
)
def test_a_uri_is_one(uri: str):
    assert is_uri(uri)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "file",
        "producer",
        "//host/path",
        "/etl",
        "1http://x",
        "https//x",
        "https://exa mple.com",
        "https://x/%zz",
        "https://x/{id}",
        "https://x/é",
        "https://x/a\n",
        "https://x/[0]",
        "https://x#a#b",
        "C:\\etl",
        "<https://x>",
    ],
)
def test_another_text_is_none(text: str):
    assert not is_uri(text)


def test_each_field_that_the_schemas_call_a_uri_is_looked_at():
    event = run_event(
        producer="me",
        schemaURL="it",
        run={"runId": RUN_ID, "facets": {"acme_x": {"_producer": "me", "_schemaURL": "it", "url": "no"}}},
        job={**JOB, "facets": {"sourceCodeLocation": {**FACET, "type": "git", "url": "no"}}},
        inputs=[{**DATASET, "facets": {"dataSource": {**FACET, "uri": "file", "name": "no"}}}],
    )
    assert warned(event, "OL016") == [
        "/producer",
        "/schemaURL",
        "/run/facets/acme_x/_producer",
        "/run/facets/acme_x/_schemaURL",
        "/job/facets/sourceCodeLocation/url",
        "/inputs/0/facets/dataSource/uri",
    ]


def test_uris_of_quoted_facets_are_looked_at_too():
    quoted = {"runId": RUN_ID, "facets": {"acme_x": {"_producer": "me", "_schemaURL": "https://x/y"}}}
    event = on_run("parent", {**FACET, "run": quoted, "job": JOB})
    assert warned(event, "OL016") == ["/run/facets/parent/run/facets/acme_x/_producer"]


MISSPELT: dict[str, tuple[Any, str]] = {
    "a field of the event": (run_event(event_type="START"), "/event_type"),
    "a field of a dataset": (
        job_event(inputs=[DATASET, {**DATASET, "input_facets": {}}]),
        "/inputs/1/input_facets",
    ),
    "a field of the run": (run_event(run={"runId": RUN_ID, "facet": {}}), "/run/facet"),
    "a field of a facet": (on_job("sql", {**FACET, "query": "", "dialekt": "x"}), "/job/facets/sql/dialekt"),
    "a field of a row": (
        on_dataset("schema", {**FACET, "fields": [{"name": "a", "type": "b"}, {"name": "b", "typ": "int"}]}),
        "/dataset/facets/schema/fields/1/typ",
    ),
    "a field of a row in a row": (
        on_dataset(
            "schema", {**FACET, "fields": [{"name": "a", "fields": [{"name": "b", "desciption": ""}]}]}
        ),
        "/dataset/facets/schema/fields/0/fields/0/desciption",
    ),
    "a field of a value in a map": (
        on_input("dataQualityMetrics", {**FACET, "columnMetrics": {"a/b": {"nullcount": 1}}}),
        "/inputs/0/inputFacets/dataQualityMetrics/columnMetrics/a~1b/nullcount",
    ),
    "a field of the tags proposal": (
        on_job("tags", {**FACET, "tags": [{"key": "a", "value": "b", "Source": "c"}]}),
        "/job/facets/tags/tags/0/Source",
    ),
}


@pytest.mark.parametrize("what", MISSPELT)
def test_a_field_that_looks_misspelt_is_named(what: str):
    event, pointer = MISSPELT[what]
    assert warned(event, "OL017") == [pointer]


@pytest.mark.parametrize(
    "event",
    [
        run_event(acme_team="x", events=7),
        on_job("acme_custom", {**FACET, "produces": 1, "qwery": 2}),
        on_job("sql", {**FACET, "query": "", "dialect": "a", "dialects": ["a"]}),
        on_output("outputStatistics", {**FACET, "rows": 7}),
        on_input("dataQualityMetrics", {**FACET, "columnMetrics": {"nullcount": {}, "distinctCounts": {}}}),
        on_job("tags", {**FACET, "tags": [{"key": "a", "value": "b", "field": "c"}]}),
    ],
)
def test_other_fields_of_ones_own_are_not(event: Any):
    assert warned(event, "OL017") == []


def test_a_slip_repeated_in_every_row_is_named_once():
    rows = [{"name": f"c{number}", "typ": "int"} for number in range(20)]
    assert warned(on_dataset("schema", {**FACET, "fields": rows}), "OL017") == [
        "/dataset/facets/schema/fields/0/typ"
    ]


def test_a_slip_that_an_error_names_already_is_no_warning_as_well():
    event = {**EVENT, "job": JOB, "eventtime": EVENT["eventTime"]}
    del event["eventTime"]
    assert {(finding.code, finding.pointer) for finding in validate(event)} == {("OL003", "/eventTime")}


@pytest.mark.parametrize("rubbish", [None, 7, "x", [], [7, None, []], {}, {"": None}])
def test_rubbish_in_any_place_is_passed_over(rubbish: Any):
    for event in (
        run_event(run=rubbish, job=rubbish, inputs=rubbish, outputs=rubbish),
        job_event(
            job={"facets": rubbish},
            inputs=[rubbish],
            outputs=[{"outputFacets": {"outputStatistics": rubbish}}],
        ),
        on_dataset("schema", {"fields": rubbish}),
        on_dataset("schema", {"fields": [{"fields": rubbish}]}),
        on_input("dataQualityMetrics", {"columnMetrics": rubbish}),
    ):
        assert {finding.code for finding in validate(event)}.isdisjoint({"OL016", "OL017", "OL900"})
