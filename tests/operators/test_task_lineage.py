"""A lineage is composed of typed values or plain dicts, and what is plain is completed."""

from __future__ import annotations

import copy
import pickle
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from openlineage_facets import EventError, OutputDataset, producer
from openlineage_facets.facets import (
    DocumentationJobFacet,
    JobFacet,
    OutputStatisticsOutputDatasetFacet,
    RunFacets,
    SQLJobFacet,
    TagJobFacet,
    TagsRunFacet,
)
from openlineage_facets.operators import TaskInstanceLineage
from openlineage_facets.tags import Tag, tags_facet
from tests.cases import each
from tests.events import FACET

ORDERS = {"namespace": "s3://lake", "name": "orders"}
TYPED = TagJobFacet.__schema_url__


def test_typed_and_plain_values_may_be_mixed() -> None:
    statistics = OutputStatisticsOutputDatasetFacet(row_count=1)
    lineage: Any = TaskInstanceLineage(
        job_facets={"sql": SQLJobFacet(query="select 1"), "documentation": {"description": "daily"}},
        outputs=[OutputDataset(**ORDERS, output_facets=[statistics]), ORDERS],
    )
    assert isinstance(lineage.job_facets.documentation, DocumentationJobFacet)
    assert [dataset.name for dataset in lineage.outputs] == ["orders", "orders"]
    listed: Any = TaskInstanceLineage(job_facets=[SQLJobFacet(query="select 1")])
    assert list(listed.job_facets) == ["sql"]
    assert TaskInstanceLineage().to_dict() == {}


@each(
    ("key", "facet", "kind"),
    [
        ("sql", {"query": "select 1"}, SQLJobFacet),
        ("sql", {**FACET, "query": "select 1", "of": 2030}, SQLJobFacet),
        ("sql", {"_deleted": True}, JobFacet),
        ("acme_tier", {"tier": 1}, JobFacet),
        ("acme_tier", {"producer": "me", "deleted": 3, "schema_url": None}, JobFacet),
        ("tags", {"_schemaURL": TYPED, "tags": [{"key": "pii", "value": True}]}, TagJobFacet),
    ],
)
def test_a_plain_facet_gets_the_producer_and_schema_url_that_it_lacks(
    key: str, facet: dict[str, Any], kind: type[JobFacet]
) -> None:
    current = "https://example.com/loader/v3"
    with producer(current):
        lineage: Any = TaskInstanceLineage(job_facets={key: facet})
    assert isinstance(lineage.job_facets[key], kind)
    assert lineage.job_facets[key].to_dict() == {
        "_producer": current,
        "_schemaURL": kind.__schema_url__,
        **facet,
    }


def test_lineage_can_be_pickled_and_replaced() -> None:
    lineage = TaskInstanceLineage(inputs=[ORDERS], run_facets={"acme_cost": {"dollars": 2}})
    assert pickle.loads(pickle.dumps(lineage)) == lineage
    changed = lineage.replace(job_facets={"sql": {"query": "select 1"}}, inputs=None)
    assert list(changed.to_dict()) == ["runFacets", "jobFacets"]


def test_composing_does_not_change_its_arguments() -> None:
    reported = {"jobFacets": {"sql": {"query": "select 1"}}, "inputs": [ORDERS]}
    before = copy.deepcopy(reported)
    TaskInstanceLineage.from_dict(reported)
    assert reported == before


def test_all_invalid_parts_are_reported_together() -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage(
            job_facets={"sql": {"query": 5}},
            inputs=[{"namespace": "", "name": ""}],
            outputs=[{**ORDERS, "zone": 1, "owner": 2}],
        )
    assert [finding.pointer for finding in caught.value.findings] == [
        "/jobFacets/sql/query",
        "/inputs/0/namespace",
        "/inputs/0/name",
        "/outputs/0/zone",
        "/outputs/0/owner",
    ]


def test_without_airflows_provider_the_error_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "airflow.providers.openlineage.extractors", None)
    with pytest.raises(ImportError, match="pip install apache-airflow-providers-openlineage"):
        TaskInstanceLineage().to_airflow()


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace Airflow's provider by a class with the same attributes."""
    module = SimpleNamespace(OperatorLineage=SimpleNamespace)
    monkeypatch.setitem(sys.modules, "airflow.providers.openlineage.extractors", module)


TAGS = {
    **FACET,
    "_schemaURL": TagsRunFacet.__schema_url__,
    "tags": [{"key": "pii", "value": "true", "field": "email"}],
}
TYPED_TAGS = tags_facet("run", [Tag("retries", 3)], "proposal").to_dict()


@each(
    ("lineage", "pointer"),
    [
        ({"inputs": [{**ORDERS, "zone": 1}]}, "/inputs/0/zone"),
        ({"outputs": [ORDERS, {**ORDERS, "zone": {}}]}, "/outputs/1/zone"),
        ({"zone": 1}, "/zone"),
        ({"jobFacets": {"acme_parts": {**FACET, "parts": [{}]}}}, "/jobFacets/acme_parts/parts"),
        ({"runFacets": {"tags": TAGS}}, "/runFacets/tags/tags/0"),
        ({"runFacets": {"tags": TYPED_TAGS}}, "/runFacets/tags/tags/0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.usefixtures("provider")
def test_what_the_client_of_airflow_would_lose_or_fail_at_is_an_error(lineage: Any, pointer: str) -> None:
    with pytest.raises(EventError) as caught:
        TaskInstanceLineage.from_json(lineage).to_airflow()
    assert [finding.pointer for finding in caught.value.findings] == [pointer]


class OwnedLineage(TaskInstanceLineage):
    job: str = "load"
    more: RunFacets | None = None


@each(
    ("fields", "pointers"),
    [({}, []), ({"job": "x"}, ["/job"]), ({"more": {"acme_x": FACET}}, ["/more"])],
    ids=["defaults", "name of another class", "facets"],
)
@pytest.mark.usefixtures("provider")
def test_fields_of_a_subclass_are_not_those_of_airflow(fields: Any, pointers: list[str]) -> None:
    lineage = OwnedLineage(inputs=[ORDERS], **fields)
    found: list[str] = []
    try:
        assert [dataset.name for dataset in lineage.to_airflow().inputs] == ["orders"]
    except EventError as error:
        found = [finding.pointer for finding in error.findings]
    assert found == pointers


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
