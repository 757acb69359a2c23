"""A lineage is composed of typed values or plain dicts, and what is plain is completed."""

from __future__ import annotations

import pickle
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from openlineage_facets import EventError, Job, OutputDataset, producer
from openlineage_facets.facets import (
    DocumentationJobFacet,
    JobFacet,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    TagJobFacet,
    TagsRunFacet,
)
from openlineage_facets.operators import TaskInstanceLineage
from openlineage_facets.tags import Tag, tags_facet
from tests.cases import each

ORDERS = {"namespace": "s3://lake", "name": "orders"}


def test_every_field_is_optional() -> None:
    assert TaskInstanceLineage().to_dict() == {}


def test_typed_and_plain_facets_may_be_mixed() -> None:
    written = OutputDataset(
        namespace="s3://lake", name="orders", output_facets=[OutputStatisticsOutputDatasetFacet(row_count=1)]
    )
    lineage = TaskInstanceLineage(
        job_facets={"sql": SQLJobFacet(query="select 1"), "documentation": {"description": "daily"}},
        outputs=[
            written,
            ORDERS,
        ],
    )
    assert lineage.job_facets is not None
    assert isinstance(lineage.job_facets.documentation, DocumentationJobFacet)
    assert lineage.outputs is not None
    assert [dataset.name for dataset in lineage.outputs] == ["orders", "orders"]


def test_the_keys_of_listed_facets_are_found() -> None:
    lineage = TaskInstanceLineage(job_facets=[SQLJobFacet(query="select 1")])
    assert lineage.job_facets is not None
    assert list(lineage.job_facets) == ["sql"]


def test_a_plain_facet_has_a_default_producer_and_schema_url() -> None:
    with producer("https://example.com/loader/v3"):
        lineage = TaskInstanceLineage(outputs=[{**ORDERS, "facets": {"schema": {"fields": []}}}])
    schema = lineage.to_dict()["outputs"][0]["facets"]["schema"]
    assert schema["_producer"] == "https://example.com/loader/v3"
    assert schema["_schemaURL"] == SchemaDatasetFacet.__schema_url__


def test_a_plain_facet_keeps_its_producer_and_schema_url() -> None:
    reported = {
        "_producer": "https://example.com/a",
        "_schemaURL": "https://example.com/S.json",
        "query": "select 1",
    }
    assert TaskInstanceLineage(job_facets={"sql": reported}).to_dict() == {"jobFacets": {"sql": reported}}


def test_a_plain_custom_facet_gets_the_schema_url_of_its_base() -> None:
    lineage = TaskInstanceLineage(job_facets={"acme_tier": {"tier": 1}})
    assert lineage.to_dict()["jobFacets"]["acme_tier"]["_schemaURL"] == JobFacet.__schema_url__


def test_a_custom_facet_may_have_fields_named_like_ours() -> None:
    reported = {"producer": "me", "deleted": 3, "schema_url": None}
    facet = TaskInstanceLineage(job_facets={"acme_tier": reported}).to_dict()["jobFacets"]["acme_tier"]
    assert {name: facet[name] for name in reported} == reported


def test_a_facet_with_a_schema_url_may_have_unknown_fields() -> None:
    reported = {
        "_producer": "https://example.com/a",
        "_schemaURL": SQLJobFacet.__schema_url__,
        "query": "",
        "of": 2030,
    }
    assert TaskInstanceLineage(job_facets={"sql": reported}).to_dict()["jobFacets"]["sql"] == reported


def test_the_schema_url_selects_the_proposals_class() -> None:
    reported = {"_schemaURL": TagJobFacet.__schema_url__, "tags": [{"key": "pii", "value": True}]}
    lineage = TaskInstanceLineage(job_facets={"tags": reported})
    assert lineage.job_facets is not None
    assert isinstance(lineage.job_facets.tags, TagJobFacet)


def test_a_deleted_facet_needs_no_other_field() -> None:
    lineage = TaskInstanceLineage(job_facets={"sql": {"_deleted": True}})
    assert lineage.to_dict()["jobFacets"]["sql"]["_deleted"] is True


def test_the_wire_format_round_trips() -> None:
    lineage = TaskInstanceLineage(inputs=[ORDERS], run_facets={"acme_cost": {"dollars": 2}})
    assert TaskInstanceLineage.from_json(lineage.to_json()) == lineage
    assert pickle.loads(pickle.dumps(lineage)) == lineage


def test_a_replaced_field_is_completed() -> None:
    changed = TaskInstanceLineage(inputs=[ORDERS]).replace(
        job_facets={"sql": {"query": "select 1"}}, inputs=None
    )
    assert list(changed.to_dict()) == ["jobFacets"]


def test_composing_does_not_change_its_arguments() -> None:
    facet = {"query": "select 1"}
    reported: dict[str, Any] = {"jobFacets": {"sql": facet}, "inputs": [ORDERS]}
    TaskInstanceLineage.from_dict(reported)
    assert facet == {"query": "select 1"}
    assert reported == {"jobFacets": {"sql": facet}, "inputs": [ORDERS]}


INVALID: list[tuple[Any, str]] = [
    (
        {"runFacets": {"sql": SQLJobFacet(query="")}},
        "/runFacets/sql: expected a RunFacet, found a SQLJobFacet",
    ),
    (
        {"jobFacets": {"query": SQLJobFacet(query="")}},
        "/jobFacets/query: expected the facet key 'sql' for SQLJobFacet",
    ),
    ({"jobFacets": {"sql": {"qeury": ""}}}, "/jobFacets/sql/qeury: SQLJobFacet has no field 'qeury'"),
    ({"jobFacets": {"sql": {"query": 5}}}, "/jobFacets/sql/query: expected a string, found 5"),
    (
        {"jobFacets": {"sql": {}}},
        "/jobFacets/sql/query: missing required field 'query'",
    ),
    (
        {"jobFacets": {"sql": "select 1"}},
        '/jobFacets/sql: expected a facet, found "select 1"; pass a facet or a dict',
    ),
    ({"jobFacets": {"sql": None}}, "/jobFacets/sql: expected a facet, found null"),
    ({"jobFacets": {5: {}}}, "/jobFacets: expected facet keys that are strings, found the key 5"),
    ({"jobFacets": {"acme_tier": {5: 5}}}, "/jobFacets/acme_tier: expected field names that are strings"),
    ({"jobFacets": SQLJobFacet(query="")}, "/jobFacets: expected a list of facets"),
    (
        {"jobFacets": [SQLJobFacet(query="")] * 2},
        "/jobFacets/sql: expected one facet with this key, found two",
    ),
    ({"jobFacets": ["sql"]}, '/jobFacets: expected a facet, found "sql"'),
    ({"jobFacets": "sql"}, "/jobFacets: expected a list of facets"),
    (
        {"runFacets": {"nominalTime": {"nominalStartTime": "2026-11-21T08:30:00"}}},
        "/runFacets/nominalTime/nominalStartTime: expected an RFC 3339 date-time with an offset",
    ),
    ({"runFacets": {"acme_cost": {"dollars": float("nan")}}}, "/runFacets/acme_cost/dollars: expected"),
    (
        {"runFacets": {"acme_cost": {"_producer": "me"}}},
        "/runFacets/acme_cost/_producer: expected an absolute URI such as https://example.com/v7/etl",
    ),
    (
        {"inputs": ORDERS},
        "/inputs: expected a list of datasets, found an object; wrap a single dataset in a list",
    ),
    (
        {"inputs": [{"namespace": "", "name": "a"}]},
        "/inputs/0/namespace: expected a namespace, found an empty string",
    ),
    (
        {"inputs": [{"name": "a"}]},
        "/inputs/0/namespace: missing required field 'namespace'",
    ),
    (
        {"inputs": [OutputDataset(namespace="s3://lake", name="orders")]},
        "/inputs/0: expected an InputDataset, found an OutputDataset",
    ),
    ({"inputs": [Job(namespace="a", name="b")]}, "/inputs/0: expected an InputDataset, found a Job"),
    ({"inputs": ["orders"]}, '/inputs/0: expected an InputDataset, found "orders"; compose an InputDataset'),
    (
        {"inputs": [{**ORDERS, "outputFacets": {}}]},
        "/inputs/0/outputFacets: InputDataset has no field 'outputFacets'",
    ),
    (
        {"outputs": [ORDERS, {**ORDERS, "outputFacets": {"outputStatistics": {"rowCount": "10"}}}]},
        '/outputs/1/outputFacets/outputStatistics/rowCount: expected an integer, found "10"',
    ),
    (
        {"facets": {}},
        "/facets: TaskInstanceLineage has no field 'facets'; it has inputs, job_facets",
    ),
    ({7: {}}, "(root): expected field names that are strings, found the name 7"),
    (["orders"], "(root): expected a lineage, found an array; return a TaskInstanceLineage or a dict of"),
]


@each(("reported", "message"), INVALID, ids=[message.split(",")[0] for _, message in INVALID])
def test_invalid_parts_are_reported_with_their_location(reported: Any, message: str) -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage.from_dict(reported)
    assert len(caught.value.findings) == 1
    assert str(caught.value).startswith(message), str(caught.value)


def test_all_invalid_parts_are_reported_together() -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage(job_facets={"sql": {"query": 5}}, inputs=[{"namespace": "", "name": ""}])
    assert [finding.pointer for finding in caught.value.findings] == [
        "/jobFacets/sql/query",
        "/inputs/0/namespace",
        "/inputs/0/name",
    ]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace Airflow's provider by a class with the same attributes."""
    module = SimpleNamespace(OperatorLineage=SimpleNamespace)
    monkeypatch.setitem(sys.modules, "airflow.providers.openlineage.extractors", module)


TAGS = {
    "_producer": "https://example.com/a",
    "_schemaURL": TagsRunFacet.__schema_url__,
    "tags": [{"key": "pii", "value": "true", "field": "email"}],
}
FACET = {"_producer": "https://example.com/a", "_schemaURL": "https://example.com/Acme.json"}


@each(
    ("lineage", "pointer"),
    [
        ({"inputs": [{**ORDERS, "zone": 1}]}, "/inputs/0/zone"),
        ({"outputs": [ORDERS, {**ORDERS, "zone": {}}]}, "/outputs/1/zone"),
        ({"zone": 1}, "/zone"),
        ({"jobFacets": {"acme_parts": {**FACET, "parts": [{}]}}}, "/jobFacets/acme_parts/parts"),
        ({"runFacets": {"tags": TAGS}}, "/runFacets/tags/tags/0"),
        (
            {"runFacets": {"tags": tags_facet("run", [Tag("retries", 3)], "proposal").to_dict()}},
            "/runFacets/tags/tags/0",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.usefixtures("provider")
def test_what_the_client_of_airflow_would_lose_or_fail_at_is_an_error(lineage: Any, pointer: str) -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage.from_json(lineage).to_airflow()
    assert [finding.pointer for finding in caught.value.findings] == [pointer]


@pytest.mark.usefixtures("provider")
def test_nulls_are_left_out_for_airflow() -> None:
    facet = {**FACET, "note": None, "owner": {"name": "ana", "team": None}}
    lineage = TaskInstanceLineage.from_json({"jobFacets": {"acme_cost": facet}, "inputs": [ORDERS]})
    there = lineage.to_airflow()
    assert there.job_facets["acme_cost"].owner == {"name": "ana"}
    assert [dataset.name for dataset in there.inputs] == ["orders"]
    assert (there.outputs, there.run_facets) == ([], {})


@each("value", [None, 5, "orders", [], {"inputs": [ORDERS]}])
def test_what_is_no_lineage_of_airflow_is_an_error(value: Any) -> None:
    with pytest.raises(EventError, match=r"\(root\): expected an OperatorLineage, found .*; pass what"):
        TaskInstanceLineage.from_airflow(value)
