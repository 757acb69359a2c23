"""What examples of single rules do not show."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.validation import validate
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.rules.datasets import Columns
from openlineage_facets.validation.ruleset import built_in_rules, check_document
from tests.cases import each
from tests.events import DATASET, FACET, facet, on_job, on_run, run_event

RULES = {rule.code: rule for rule in built_in_rules()}


def subset(part: int) -> dict[str, Any]:
    """Return an input that is a part of a dataset."""
    condition = {"type": "location", "locations": [str(part)]}
    return {**DATASET, "inputFacets": {"subset": {**FACET, "inputCondition": condition}}}


@each(
    ("inputs", "overlap"),
    [
        ([DATASET, subset(1)], True),
        ([DATASET, subset(1), subset(2)], True),
        ([subset(1), subset(2)], False),
        ([subset(1), subset(2), subset(1)], True),
    ],
)
def test_duplicate_datasets_are_found_in_any_order(inputs: list[Any], overlap: bool) -> None:
    for ordered in permutations(inputs):
        document = Document(run_event(inputs=list(ordered)))
        assert bool(list(RULES["OL307"].check(document))) == overlap


def test_many_subsets_of_a_dataset_are_not_compared_in_pairs() -> None:
    compared = 0

    class Subset(dict[str, Any]):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return super().__eq__(other)

    parts = [{**DATASET, "inputFacets": {"subset": Subset(part=number)}} for number in range(100)]
    assert list(RULES["OL307"].check(Document(run_event(inputs=parts)))) == []
    assert compared <= len(parts)


def test_the_rest_of_a_tombstone_is_not_checked() -> None:
    tags = {"tags": [{"key": "a", "value": "1"}] * 2}
    lineage = {"fields": {"a": {"inputFields": [{**DATASET, "name": "other", "field": "b"}]}}}

    def codes(**deleted: Any) -> set[str]:
        output = {**DATASET, "facets": {"columnLineage": facet(**lineage, **deleted)}}
        events = on_job("tags", facet(**tags, **deleted)), run_event(inputs=[DATASET], outputs=[output])
        return {finding.code for one in events for finding in validate(one)}

    assert codes() >= {"OL301", "OL303"}
    assert codes(_deleted=True).isdisjoint({"OL301", "OL303"})


@each(
    ("key", "example"),
    [
        ("environment-properties", "acme_environmentProperties"),
        ("cost", "acme_cost"),
        ("spark.acmePlan", "spark_acmePlan"),
        ("Acme/daily-cost", "acme_dailyCost"),
    ],
)
def test_the_example_of_a_facet_key_has_a_prefix(key: str, example: str) -> None:
    (finding,) = [one for one in validate(on_run(key, FACET)) if one.code == "OL101"]
    assert finding.hint == f"rename it, for example to '{example}'"


ADDRESS = {"name": "address", "type": "struct", "fields": [{"name": "street"}]}
COLUMNS = Columns({"fields": [{"name": "id"}, ADDRESS, {"name": "items", "type": "array"}]})


@each(
    ("path", "is_column"),
    [
        ("id", True),
        ("address", True),
        ("address.street", True),
        ("address.zip", False),
        ("items[0].price", True),
        ("id.part", True),
        ("other", False),
        ("other.id", False),
        (None, False),
    ],
)
def test_a_column_contains_what_is_listed_or_anything_if_nothing_is(path: object, is_column: bool) -> None:
    assert (path in COLUMNS) == is_column


def codes_of_producer(producer: str, **facets: Any) -> set[tuple[str, str]]:
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
    assert codes_of_producer(producer) == set()


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
    assert codes_of_producer(producer) == {(code, "/producer")}
    parent = {"parent": {"_producer": producer}}
    assert codes_of_producer(DEFAULT_PRODUCER, **parent) == {(code, "/run/facets/parent/_producer")}


def test_the_engine_names_the_orchestrator_of_the_event_but_not_of_its_parent() -> None:
    engine = {"processing_engine": {"name": "spark", "version": "4.0.1"}}
    assert codes_of_producer("urn:example:etl", **engine) == set()
    assert len(codes_of_producer("urn:example:etl", **engine, parent={"_producer": "urn:example:etl"})) == 1
