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
    facet,
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


@each(
    ("event", "pointer"),
    [
        (run_event(event_type="START"), "/event_type"),
        (job_event(inputs=[DATASET, {**DATASET, "input_facets": {}}]), "/inputs/1/input_facets"),
        (run_event(run={"runId": RUN_ID, "facet": {}}), "/run/facet"),
        (on_job("sql", facet(query="", dialekt="x")), "/job/facets/sql/dialekt"),
        (
            on_dataset("schema", facet(fields=[{"name": "a", "type": "b"}, {"name": "b", "typ": "int"}])),
            "/dataset/facets/schema/fields/1/typ",
        ),
        (
            on_dataset("schema", facet(fields=[{"name": "a", "fields": [{"name": "b", "desciption": ""}]}])),
            "/dataset/facets/schema/fields/0/fields/0/desciption",
        ),
        (
            on_input("dataQualityMetrics", facet(columnMetrics={"a/b": {"nullcount": 1}})),
            "/inputs/0/inputFacets/dataQualityMetrics/columnMetrics/a~1b/nullcount",
        ),
        (
            on_job("tags", facet(tags=[{"key": "a", "value": "b", "Source": "c"}])),
            "/job/facets/tags/tags/0/Source",
        ),
        (  # Only the first one of many items.
            on_dataset("schema", facet(fields=[{"name": f"c{n}", "typ": "int"} for n in range(20)])),
            "/dataset/facets/schema/fields/0/typ",
        ),
    ],
)
def test_misspelled_field_is_reported(event: Any, pointer: str):
    assert pointers(event, "OL017") == [pointer]


@each(
    "event",
    [
        run_event(acme_team="x", events=7),
        on_job("acme_custom", facet(produces=1, qwery=2)),
        on_job("sql", facet(query="", dialect="a", dialects=["a"])),
        on_output("outputStatistics", facet(rows=7)),
        on_input("dataQualityMetrics", facet(columnMetrics={"nullcount": {}, "distinctCounts": {}})),
        on_job("tags", facet(tags=[{"key": "a", "value": "b", "field": "c"}])),
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


def test_misspelled_field_in_a_hint_of_an_error_is_not_reported_again():
    event = {**EVENT, "job": JOB, "eventtime": EVENT["eventTime"]}
    del event["eventTime"]
    assert {(finding.code, finding.pointer) for finding in validate(event)} == {("OL003", "/eventTime")}


@each("garbage", [None, 7, "x", [], [7, None, []], {}, {"": None}])
def test_garbage_has_no_schema_warnings(garbage: Any):
    for event in (
        run_event(run=garbage, job=garbage, inputs=garbage, outputs=garbage),
        job_event(job={"facets": garbage}, inputs=[garbage]),
        on_output("outputStatistics", garbage),
        on_dataset("schema", {"fields": garbage}),
        on_dataset("schema", {"fields": [{"fields": garbage}]}),
        on_input("dataQualityMetrics", {"columnMetrics": garbage}),
    ):
        assert {finding.code for finding in validate(event)}.isdisjoint({"OL016", "OL017", "OL900"})
