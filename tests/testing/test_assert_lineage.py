"""`lineage_events.assert_lineage` compares datasets and columns."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets import RunEventBuilder
from openlineage_facets.testing import LineageEvents
from openlineage_facets.testing.assertions import lineage_differences


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


def test_equal_lineage_passes(captured: LineageEvents) -> None:
    captured.assert_lineage(
        inputs=["raw/customers", ("s3://lake", "raw/orders")],
        outputs=["facts"],
        columns={"facts.email_hash": ["customers.email"], "curated/facts.total": ["raw/orders.amount"]},
    )


def test_what_is_not_given_is_ignored(captured: LineageEvents) -> None:
    captured.assert_lineage()
    captured.assert_lineage(outputs=["facts"])


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
    assert message(captured, outputs=["acts"])[0].startswith("outputs: missing acts; found")
    assert message(captured, outputs=[("gs://lake", "curated/facts")])[0].startswith(
        "outputs: missing gs://lake"
    )
    assert message(captured, outputs=[""])[0].startswith("outputs: missing")


def test_missing_and_unexpected_source_columns_are_named(captured: LineageEvents) -> None:
    assert message(captured, columns={"facts.total": ["orders.price"]}) == [
        "column facts.total: missing orders.price; found raw/orders.amount",
        "column facts.total: unexpected raw/orders.amount",
    ]


def test_columns_without_lineage_are_named(captured: LineageEvents) -> None:
    assert message(captured, columns={"facts.day": ["orders.day"]}) == [
        "column facts.day: expected column lineage, found curated/facts.email_hash, curated/facts.total"
    ]


def test_a_later_event_replaces_the_column_lineage() -> None:
    def event(field: str) -> dict[str, Any]:
        lineage = {"fields": {"a": {"inputFields": [source("raw", field)]}}}
        return {"outputs": [{"namespace": "s3://lake", "name": "t", "facets": {"columnLineage": lineage}}]}

    assert list(lineage_differences([event("x"), event("y")], columns={"t.a": ["raw.y"]})) == []


INVALID_EVENTS: list[Any] = [
    None,
    3,
    [],
    {"inputs": 3},
    {"inputs": [3]},
    {"outputs": [{"facets": 3}]},
    {"outputs": [{"facets": {"columnLineage": {"fields": {"a": 3}}}}]},
]


@pytest.mark.parametrize("event", INVALID_EVENTS)
def test_invalid_events_have_no_lineage(event: Any) -> None:
    differences = list(lineage_differences([event], inputs=["t"], columns={"t.a": ["x.a"]}))
    assert differences[0].startswith("inputs: missing t")
