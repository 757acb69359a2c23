"""Schema warnings: invalid URIs and misspelled field names."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from openlineage_facets import validate
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.validation import model_structure
from tests.cases import each
from tests.events import (
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


def pointers(event: Any, code: str) -> list[str]:
    return [finding.pointer for finding in validate(event) if finding.code == code]


def test_every_uri_field_is_checked():
    event = run_event(
        producer="me",
        schemaURL="it",
        run={"runId": RUN_ID, "facets": {"acme_x": {"_producer": "me", "_schemaURL": "it", "url": "no"}}},
        job={**JOB, "facets": {"sourceCodeLocation": {**FACET, "type": "git", "url": "no"}}},
        inputs=[{**DATASET, "facets": {"dataSource": {**FACET, "uri": "file", "name": "no"}}}],
    )
    assert pointers(event, "OL016") == [
        "/producer",
        "/schemaURL",
        "/run/facets/acme_x/_producer",
        "/run/facets/acme_x/_schemaURL",
        "/job/facets/sourceCodeLocation/url",
        "/inputs/0/facets/dataSource/uri",
    ]


def test_uris_of_nested_facets_are_checked():
    nested = {"runId": RUN_ID, "facets": {"acme_x": {"_producer": "me", "_schemaURL": "https://x/y"}}}
    event = on_run("parent", {**FACET, "run": nested, "job": JOB})
    assert pointers(event, "OL016") == ["/run/facets/parent/run/facets/acme_x/_producer"]


MISSPELLED: dict[str, tuple[Any, str]] = {
    "field of the event": (run_event(event_type="START"), "/event_type"),
    "field of a dataset": (
        job_event(inputs=[DATASET, {**DATASET, "input_facets": {}}]),
        "/inputs/1/input_facets",
    ),
    "field of the run": (run_event(run={"runId": RUN_ID, "facet": {}}), "/run/facet"),
    "field of a facet": (on_job("sql", {**FACET, "query": "", "dialekt": "x"}), "/job/facets/sql/dialekt"),
    "field of a nested item": (
        on_dataset("schema", {**FACET, "fields": [{"name": "a", "type": "b"}, {"name": "b", "typ": "int"}]}),
        "/dataset/facets/schema/fields/1/typ",
    ),
    "field of a nested item of a nested item": (
        on_dataset(
            "schema", {**FACET, "fields": [{"name": "a", "fields": [{"name": "b", "desciption": ""}]}]}
        ),
        "/dataset/facets/schema/fields/0/fields/0/desciption",
    ),
    "field of a value in a map": (
        on_input("dataQualityMetrics", {**FACET, "columnMetrics": {"a/b": {"nullcount": 1}}}),
        "/inputs/0/inputFacets/dataQualityMetrics/columnMetrics/a~1b/nullcount",
    ),
    "field of the tags proposal": (
        on_job("tags", {**FACET, "tags": [{"key": "a", "value": "b", "Source": "c"}]}),
        "/job/facets/tags/tags/0/Source",
    ),
}


@each("location", MISSPELLED)
def test_misspelled_field_is_reported(location: str):
    event, pointer = MISSPELLED[location]
    assert pointers(event, "OL017") == [pointer]


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
def test_other_unknown_fields_are_not_reported(event: Any):
    assert pointers(event, "OL017") == []


def test_another_thread_sees_no_incomplete_structure(monkeypatch: pytest.MonkeyPatch):
    event = run_event(outputs=[{**DATASET, "outputfacets": {}}])
    expected = pointers(event, "OL017")
    seen: list[list[str]] = []

    def declared(cls: Any) -> Any:
        if not seen:  # The structure of the event has been created, without fields yet.
            seen.append([])
            with ThreadPoolExecutor(1) as pool:
                seen[0] = pool.submit(pointers, event, "OL017").result()
        return declared_fields(cls)

    monkeypatch.setattr(model_structure, "_STRUCTURES", {})
    monkeypatch.setattr(model_structure, "declared_fields", declared)
    assert pointers(event, "OL017") == expected == seen[0] == ["/outputs/0/outputfacets"]


def test_misspelled_name_in_many_items_is_reported_once():
    items = [{"name": f"c{number}", "typ": "int"} for number in range(20)]
    assert pointers(on_dataset("schema", {**FACET, "fields": items}), "OL017") == [
        "/dataset/facets/schema/fields/0/typ"
    ]


def test_misspelled_field_in_a_hint_of_an_error_is_not_reported_again():
    event = {**EVENT, "job": JOB, "eventtime": EVENT["eventTime"]}
    del event["eventTime"]
    assert {(finding.code, finding.pointer) for finding in validate(event)} == {("OL003", "/eventTime")}


@pytest.mark.parametrize("garbage", [None, 7, "x", [], [7, None, []], {}, {"": None}])
def test_garbage_has_no_schema_warnings(garbage: Any):
    for event in (
        run_event(run=garbage, job=garbage, inputs=garbage, outputs=garbage),
        job_event(
            job={"facets": garbage},
            inputs=[garbage],
            outputs=[{"outputFacets": {"outputStatistics": garbage}}],
        ),
        on_dataset("schema", {"fields": garbage}),
        on_dataset("schema", {"fields": [{"fields": garbage}]}),
        on_input("dataQualityMetrics", {"columnMetrics": garbage}),
    ):
        assert {finding.code for finding in validate(event)}.isdisjoint({"OL016", "OL017", "OL900"})
