"""Producers by which a backend names an orchestrator are URLs that end with a name."""

from __future__ import annotations

from typing import Any

from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.ruleset import check_document
from tests.cases import each


def codes(producer: str, **facets: Any) -> set[tuple[str, str]]:
    event = {"producer": producer, "run": {"facets": facets}, "job": {"namespace": "etl", "name": "daily"}}
    found = check_document(Document(event))
    return {(one.code, one.pointer) for one in found if one.code in ("OL212", "OL213")}


@each(
    "producer",
    [
        DEFAULT_PRODUCER,
        "https://example.com/v7/etl",
        "https://example.com/etl?version=7",
        "https://example.com/etl2",
        "https://example.com",
        "https://github.com/OpenLineage/OpenLineage/tree/1.40.0/integration/spark",
        "https://github.com/apache/airflow/tree/providers-openlineage/2.0.0",
        "file:///jobs/etl.py",
        "https://example.com/" + "1/" * 100_000,
    ],
)
def test_a_name_at_the_end_is_no_finding(producer: str) -> None:
    assert codes(producer) == set()


@each(
    ("producer", "code"),
    [
        ("pkg:pypi/etl@7", "OL212"),
        ("urn:example:etl", "OL212"),
        ("https://example.com/etl/v7", "OL213"),
        ("https://example.com/etl/7/", "OL213"),
        ("https://git.example.com/etl/tree/1.2.0rc1", "OL213"),
        ("https://example.com/etl/2026-03-01", "OL213"),
    ],
)
def test_a_version_at_the_end_or_no_path_is_a_finding(producer: str, code: str) -> None:
    assert codes(producer) == {(code, "/producer")}
    parent = {"parent": {"_producer": producer}}
    assert codes(DEFAULT_PRODUCER, **parent) == {(code, "/run/facets/parent/_producer")}


def test_the_engine_names_the_orchestrator_of_the_event_but_not_of_its_parent() -> None:
    engine = {"processing_engine": {"name": "spark", "version": "4.0.1"}}
    assert codes("urn:example:etl", **engine) == set()
    assert len(codes("urn:example:etl", **engine, parent={"_producer": "urn:example:etl"})) == 1
