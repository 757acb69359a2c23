"""`lineage_events.assert_lineage` compares datasets and columns."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import DatasetEvent, RunEventBuilder, StaticDataset
from openlineage_facets.facets import DatasetFacet, LineageDatasetFacet
from openlineage_facets.testing import LineageEvents
from tests.cases import each


def source(name: str, field: str, kind: str = "DIRECT") -> dict[str, Any]:
    transformations = [{"type": kind, "subtype": "IDENTITY" if kind == "DIRECT" else "FILTER"}]
    return {"namespace": "s3://lake", "name": name, "field": field, "transformations": transformations}


@pytest.fixture
def captured(lineage_events: LineageEvents) -> LineageEvents:
    build = RunEventBuilder("etl", "facts", producer="https://example.com/v7/etl")
    build.input("s3://lake", "raw/customers")
    lineage_events.emit(build.start())
    build.input("s3://lake", "raw/orders")
    build.output("s3://lake", "curated/facts").column_lineage(
        fields={
            "email_hash": {
                "inputFields": [source("raw/customers", "email"), source("raw/orders", "day", "INDIRECT")]
            },
            "total": {"inputFields": [source("raw/orders", "amount")]},
        }
    )
    lineage_events.emit(build.complete())
    return lineage_events


def message(captured: LineageEvents, **expected: Any) -> list[str]:
    with pytest.raises(AssertionError) as failure:
        captured.assert_lineage(**expected)
    first, *lines = str(failure.value).splitlines()
    assert first == "the lineage differs:"
    return lines


def test_equal_lineage_passes_and_what_is_not_given_is_ignored(captured: LineageEvents) -> None:
    captured.assert_lineage()
    captured.assert_lineage(outputs=["facts"])
    captured.assert_lineage(
        inputs=["raw/customers", ("s3://lake", "raw/orders")],
        outputs=["facts"],
        columns={"facts.email_hash": ["customers.email"], "curated/facts.total": ["raw/orders.amount"]},
    )


def test_missing_and_unexpected_datasets_are_named(captured: LineageEvents) -> None:
    assert message(captured, inputs=["customers", "rates"], outputs=[]) == [
        "inputs: missing rates; found s3://lake raw/customers, s3://lake raw/orders",
        "inputs: unexpected s3://lake raw/orders",
        "outputs: unexpected s3://lake curated/facts",
    ]


def test_a_namespace_in_the_name_is_answered_with_what_to_pass(captured: LineageEvents) -> None:
    assert message(captured, inputs=["s3://lake/raw/customers", "raw/orders"]) == [
        "inputs: missing s3://lake/raw/customers; found s3://lake raw/customers, s3://lake raw/orders; "
        "to name the namespace, pass ('s3://lake', 'raw/customers')",
        "inputs: unexpected s3://lake raw/customers",
    ]


def test_a_dataset_matches_only_whole_parts_of_its_name(captured: LineageEvents) -> None:
    others = {"acts": "acts; found", ("gs://lake", "curated/facts"): "gs://lake", "": ""}
    for other, missing in others.items():
        assert message(captured, outputs=[other])[0].startswith(f"outputs: missing {missing}")


def test_missing_and_unexpected_source_columns_and_columns_without_any_are_named(
    captured: LineageEvents,
) -> None:
    assert message(captured, columns={"facts.total": ["orders.price"], "facts.day": ["orders.day"]}) == [
        "column facts.total: missing orders.price; found raw/orders.amount",
        "column facts.total: unexpected raw/orders.amount",
        "column facts.day: expected column lineage, found curated/facts.email_hash, curated/facts.total",
    ]


def test_columns_that_only_indirect_sources_influence_have_no_sources(lineage_events: LineageEvents) -> None:
    build = RunEventBuilder("etl", "facts", producer="https://example.com/v7/etl")
    sources = {"inputFields": [source("raw/orders", "day", "INDIRECT")]}
    build.output("s3://lake", "curated/facts").column_lineage(fields={"flag": sources})
    lineage_events.emit(build.start())
    lineage_events.assert_lineage(columns={"facts.flag": [], "facts.constant": []})
    assert message(lineage_events, columns={"facts.flag": ["orders.day"]}) == [
        "column facts.flag: missing orders.day; found none"
    ]


def test_a_later_event_replaces_the_column_lineage(captured: LineageEvents) -> None:
    build = RunEventBuilder("etl", "facts", producer="https://example.com/v7/etl")
    lineage = {"total": {"inputFields": [source("raw/orders", "price")]}}
    build.output("s3://lake", "curated/facts").column_lineage(fields=lineage)
    captured.emit(build.start())
    captured.assert_lineage(columns={"facts.total": ["orders.price"]})
    assert message(captured, columns={"facts.email_hash": ["customers.email"]}) == [
        "column facts.email_hash: expected column lineage, found curated/facts.total"
    ]


def test_a_tombstone_deletes_the_column_lineage(captured: LineageEvents) -> None:
    facts = StaticDataset(
        namespace="s3://lake",
        name="curated/facts",
        facets={"columnLineage": DatasetFacet(deleted=True)},
    )
    captured.emit(DatasetEvent(dataset=facts))
    assert message(captured, columns={"facts.total": ["orders.amount"]}) == [
        "column facts.total: expected column lineage, found no column lineage"
    ]


def test_columns_of_lineage_facets_and_dataset_events_are_compared(lineage_events: LineageEvents) -> None:
    inputs = [
        {"namespace": "s3://lake", "name": "raw/orders", "type": "DATASET", "field": "amount"},
        {"namespace": "s3://lake", "name": "raw/rates", "type": "DATASET"},
    ]
    facet = LineageDatasetFacet(fields={"total": {"inputs": inputs}})
    facts = StaticDataset(namespace="s3://lake", name="curated/facts", facets=[facet])
    lineage_events.emit(DatasetEvent(dataset=facts))
    lineage_events.assert_lineage(columns={"facts.total": ["orders.amount", "rates"]})
    assert message(lineage_events, columns={"facts.total": []}) == [
        "column facts.total: unexpected raw/orders.amount, s3://lake raw/rates"
    ]


@each(
    ("expected", "label"),
    [({"inputs": "orders"}, "inputs"), ({"columns": {"facts.total": "amount"}}, "column facts.total")],
)
def test_a_string_instead_of_names_is_rejected(
    captured: LineageEvents, expected: dict[str, Any], label: str
) -> None:
    with pytest.raises(TypeError, match=f"^{label}: expected a collection of names, found the string '"):
        captured.assert_lineage(**expected)


def test_invalid_events_have_no_lineage(lineage_events: LineageEvents) -> None:
    lineage = {"columnLineage": {"fields": {"a": 3}}}
    for value in (None, 3, [], {"inputs": 3}, {"inputs": [3]}):
        lineage_events.emit(json.dumps(value))
    for facets in (3, lineage):
        lineage_events.emit({"outputs": [{"facets": facets}]})
    first, *_, last = message(lineage_events, inputs=["t"], columns={"t.a": ["x.a"]})
    assert first.startswith("inputs: missing t")
    assert last.endswith("found no column lineage")
