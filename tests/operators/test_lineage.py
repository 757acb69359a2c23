"""A lineage is composed of typed values or plain dicts, and what is plain is completed."""

from __future__ import annotations

import pickle
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
)
from openlineage_facets.operators import TaskInstanceLineage

ORDERS = {"namespace": "s3://lake", "name": "orders"}


def test_every_part_is_optional() -> None:
    assert TaskInstanceLineage().to_dict() == {}


def test_typed_and_plain_facets_may_stand_together() -> None:
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


def test_a_list_of_facets_finds_each_key() -> None:
    lineage = TaskInstanceLineage(job_facets=[SQLJobFacet(query="select 1")])
    assert lineage.job_facets is not None
    assert list(lineage.job_facets) == ["sql"]


def test_a_plain_facet_gets_the_producer_in_force_and_the_schema_url_of_its_class() -> None:
    with producer("https://example.com/loader/v3"):
        lineage = TaskInstanceLineage(outputs=[{**ORDERS, "facets": {"schema": {"fields": []}}}])
    schema = lineage.to_dict()["outputs"][0]["facets"]["schema"]
    assert schema["_producer"] == "https://example.com/loader/v3"
    assert schema["_schemaURL"] == SchemaDatasetFacet.__schema_url__


def test_a_plain_facet_keeps_the_producer_and_the_schema_url_it_brings() -> None:
    told = {
        "_producer": "https://example.com/a",
        "_schemaURL": "https://example.com/S.json",
        "query": "select 1",
    }
    assert TaskInstanceLineage(job_facets={"sql": told}).to_dict() == {"jobFacets": {"sql": told}}


def test_a_plain_custom_facet_gets_the_schema_url_of_its_base() -> None:
    lineage = TaskInstanceLineage(job_facets={"acme_tier": {"tier": 1}})
    assert lineage.to_dict()["jobFacets"]["acme_tier"]["_schemaURL"] == JobFacet.__schema_url__


def test_a_custom_facet_may_have_fields_named_like_ours() -> None:
    told = {"producer": "me", "deleted": 3, "schema_url": None}
    facet = TaskInstanceLineage(job_facets={"acme_tier": told}).to_dict()["jobFacets"]["acme_tier"]
    assert {name: facet[name] for name in told} == told


def test_a_facet_that_names_its_schema_may_hold_fields_we_do_not_know() -> None:
    told = {
        "_producer": "https://example.com/a",
        "_schemaURL": SQLJobFacet.__schema_url__,
        "query": "",
        "of": 2030,
    }
    assert TaskInstanceLineage(job_facets={"sql": told}).to_dict()["jobFacets"]["sql"] == told


def test_a_facet_that_names_the_proposal_is_the_proposals() -> None:
    told = {"_schemaURL": TagJobFacet.__schema_url__, "tags": [{"key": "pii", "value": True}]}
    lineage = TaskInstanceLineage(job_facets={"tags": told})
    assert lineage.job_facets is not None
    assert isinstance(lineage.job_facets.tags, TagJobFacet)


def test_a_deleted_facet_needs_no_other_field() -> None:
    lineage = TaskInstanceLineage(job_facets={"sql": {"_deleted": True}})
    assert lineage.to_dict()["jobFacets"]["sql"]["_deleted"] is True


def test_the_wire_form_reads_back_to_the_same() -> None:
    lineage = TaskInstanceLineage(inputs=[ORDERS], run_facets={"acme_cost": {"dollars": 2}})
    assert TaskInstanceLineage.from_json(lineage.to_json()) == lineage
    assert pickle.loads(pickle.dumps(lineage)) == lineage


def test_a_replaced_part_is_completed_too() -> None:
    changed = TaskInstanceLineage(inputs=[ORDERS]).replace(
        job_facets={"sql": {"query": "select 1"}}, inputs=None
    )
    assert list(changed.to_dict()) == ["jobFacets"]


def test_composing_changes_nothing_it_was_given() -> None:
    facet = {"query": "select 1"}
    told: dict[str, Any] = {"jobFacets": {"sql": facet}, "inputs": [ORDERS]}
    TaskInstanceLineage.from_dict(told)
    assert facet == {"query": "select 1"}
    assert told == {"jobFacets": {"sql": facet}, "inputs": [ORDERS]}


REFUSED: list[tuple[Any, str]] = [
    (
        {"runFacets": {"sql": SQLJobFacet(query="")}},
        "/runFacets/sql: expected a RunFacet, found a SQLJobFacet",
    ),
    (
        {"jobFacets": {"query": SQLJobFacet(query="")}},
        "/jobFacets/query: expected SQLJobFacet under the key 'sql'",
    ),
    ({"jobFacets": {"sql": {"qeury": ""}}}, "/jobFacets/sql/qeury: expected a field of SQLJobFacet"),
    ({"jobFacets": {"sql": {"query": 5}}}, "/jobFacets/sql/query: expected a string, found 5"),
    (
        {"jobFacets": {"sql": {}}},
        "/jobFacets/sql/query: expected a value for this required field, found none",
    ),
    (
        {"jobFacets": {"sql": "select 1"}},
        '/jobFacets/sql: expected a facet, found "select 1"; give the facet',
    ),
    ({"jobFacets": {"sql": None}}, "/jobFacets/sql: expected a facet, found null"),
    ({"jobFacets": {5: {}}}, "/jobFacets: expected keys that are text, found the key 5"),
    ({"jobFacets": {"acme_tier": {5: 5}}}, "/jobFacets/acme_tier: expected names that are text"),
    ({"jobFacets": SQLJobFacet(query="")}, "/jobFacets: expected a list of facets"),
    (
        {"jobFacets": [SQLJobFacet(query="")] * 2},
        "/jobFacets/sql: expected one facet under this key, found two",
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
        "/runFacets/acme_cost/_producer: expected an absolute URI such as https://example.com/etl/v7",
    ),
    (
        {"inputs": ORDERS},
        "/inputs: expected a list of datasets, found an object; wrap a single dataset in a list",
    ),
    (
        {"inputs": [{"namespace": "", "name": "a"}]},
        "/inputs/0/namespace: expected a name, found an empty string",
    ),
    (
        {"inputs": [{"name": "a"}]},
        "/inputs/0/namespace: expected a value for this required field, found none",
    ),
    (
        {"inputs": [OutputDataset(namespace="s3://lake", name="orders")]},
        "/inputs/0: expected an InputDataset, found an OutputDataset",
    ),
    ({"inputs": [Job(namespace="a", name="b")]}, "/inputs/0: expected an InputDataset, found a Job"),
    ({"inputs": ["orders"]}, '/inputs/0: expected an InputDataset, found "orders"; compose an InputDataset'),
    (
        {"inputs": [{**ORDERS, "outputFacets": {}}]},
        "/inputs/0/outputFacets: expected a field of InputDataset",
    ),
    (
        {"outputs": [ORDERS, {**ORDERS, "outputFacets": {"outputStatistics": {"rowCount": "10"}}}]},
        '/outputs/1/outputFacets/outputStatistics/rowCount: expected an integer, found "10"',
    ),
    (
        {"facets": {}},
        "/facets: expected a field of TaskInstanceLineage, found none of that name; did you mean",
    ),
    ({7: {}}, "(root): expected names that are text, found the name 7"),
    (["orders"], "(root): expected a lineage, found an array; return a TaskInstanceLineage, or a dict of"),
]


@pytest.mark.parametrize(("told", "message"), REFUSED, ids=[message.split(",")[0] for _, message in REFUSED])
def test_what_is_wrong_is_refused_where_it_stands(told: Any, message: str) -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage.from_dict(told)
    assert len(caught.value.findings) == 1
    assert str(caught.value).startswith(message), str(caught.value)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage(job_facets={"sql": {"query": 5}}, inputs=[{"namespace": "", "name": ""}])
    assert [finding.pointer for finding in caught.value.findings] == [
        "/jobFacets/sql/query",
        "/inputs/0/namespace",
        "/inputs/0/name",
    ]
