"""The examples of the specification and its proposals in tests/builders/examples, composed with builders.

The files are as the documents draw such events: no `_producer` and `_schemaURL`, `schemaURL` left out where
they leave it out, tags as a without_producers list with the values typed, as the proposal has them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from openlineage_facets import (
    DatasetEvent,
    DatasetEventBuilder,
    JobEvent,
    JobEventBuilder,
    RunEvent,
    RunEventBuilder,
    parse_event,
    producer,
)
from openlineage_facets.facets import JobFacet
from openlineage_facets.tags import Tag, WireFormat
from tests.builders.sample_builders import without_producers
from tests.cases import each
from tests.oracle.expected_results import oracle_result
from tests.oracle.schemas import PROPOSALS, RELEASED

EXAMPLES = Path(__file__).parent / "examples"

Event = RunEvent | JobEvent | DatasetEvent

DBT = "DBT_CLOUD_INTEGRATION"
SHOP = "postgres://shop-db:5432"
FINANCE = "postgres://finance-db:5432"
ETL = "https://example.com/v7/etl"


def tags_on_every_entity(wire_format: WireFormat) -> Iterator[tuple[str, Event]]:
    build = RunEventBuilder(
        "dbt-cloud",
        "storefront.customers",
        run_id="0195d8c2-fe01-7439-87e6-56a1a1b4029f",
        producer="https://example.com/v3/dbt-integration",
        wire_format=wire_format,
    )
    build.tag("project", "storefront", source=DBT).tag("environment", "staging", source=DBT)
    build.tag("nightly", source="USER")
    build.run.tag("is_backfill", source=DBT)
    source = build.input("snowflake://acme", "shop.public.customers")
    source.tags(Tag.flatten({"meta": {"nr_config": {"slack_mentions": "@ana, @bo"}}}, source=DBT))
    source.tag("pii", field="email", source=DBT)
    source.schema(fields=[{"name": "email", "type": "string"}, {"name": "id", "type": "int"}])
    yield "tags_on_every_entity", build.start("2026-03-28T19:52:00.001+10:00")


def lifecycle(wire_format: WireFormat) -> Iterator[tuple[str, Event]]:
    def builder() -> RunEventBuilder:
        run_id = "3b452093-782c-4ef2-9c0c-aafe2aa6f34d"
        name = "orders_daily.aggregate"
        return RunEventBuilder("airflow-prod", name, run_id=run_id, producer=ETL, wire_format=wire_format)

    build = builder()
    build.input(SHOP, "shop.public.orders")
    build.output(SHOP, "shop.reporting.orders_by_day")
    yield "simple_start", build.start("2026-03-09T23:37:31.081Z")
    build = builder()
    build.job.source_code_location(
        type="git", url="https://example.com/shop/etl/blob/9f2c1ab/orders_daily.py", version="9f2c1ab"
    )
    build.input(SHOP, "shop.public.orders").schema(fields=[{"name": "amount", "type": "double"}])
    yield "lifecycle_start", build.start("2026-03-09T23:00:00Z")
    build.input(SHOP, "shop.public.refunds")
    yield "lifecycle_found_later", build.running("2026-03-09T23:05:00Z")
    target = build.output(SHOP, "shop.reporting.orders_by_day")
    target.schema(fields=[{"name": "total", "type": "double"}]).output_statistics(row_count=31)
    yield "lifecycle_complete", build.complete("2026-03-09T23:10:00Z")


def four_kinds_of_facets(wire_format: WireFormat) -> Iterator[tuple[str, Event]]:
    build = RunEventBuilder(
        "finance",
        "close_month",
        run_id="d46e465b-d358-4d32-83d4-df660ff614dd",
        producer=ETL,
        wire_format=wire_format,
    )
    build.run.parent(
        run={"runId": "f99310b4-3c3c-1a1a-2b2b-c1b95c24ff11"},
        job={"namespace": "dbt-prod", "name": "nightly-dbt-run"},
    )
    build.job.sql(query="insert into closed select id, label, settled from open_items")
    columns = [
        {"name": "id", "type": "int", "description": "Number of the item"},
        {"name": "label", "type": "string", "description": "What the item is for"},
        {"name": "settled", "type": "boolean", "description": "Whether it was paid"},
    ]
    build.input(FINANCE, "finance.public.open_items").schema(fields=columns)
    build.output(FINANCE, "finance.public.closed").schema(fields=columns)
    yield "four_kinds_of_facets", build.start("2026-03-28T19:52:00.001+10:00")


def static_lineage(wire_format: WireFormat) -> Iterator[tuple[str, Event]]:
    catalog = "https://example.com/v1/catalog-import"
    jobs = JobEventBuilder(
        "airflow-prod", "orders_daily.never_ran", producer=catalog, wire_format=wire_format
    )
    jobs.job.source_code_location(type="git", url="https://example.com/shop/etl", version="9f2c1ab")
    jobs.input(SHOP, "shop.public.orders").schema(fields=[{"name": "amount", "type": "double"}])
    jobs.output(SHOP, "shop.reporting.orders_by_day")
    yield "static_job", jobs.build("2026-03-01T08:00:00Z")
    datasets = DatasetEventBuilder(SHOP, "shop.public.orders", producer=catalog, wire_format=wire_format)
    datasets.dataset.ownership(owners=[{"name": "team:orders", "type": "OWNER"}])
    datasets.dataset.schema(fields=[{"name": "email", "type": "string"}]).tag("pii", field="email")
    yield "static_dataset", datasets.build("2026-03-01T09:00:00Z")


class BigQueryStatisticsJobFacet(JobFacet):
    """A custom facet with a standard name: prefix, name, entity."""

    __facet_key__ = "bigQuery_statistics"
    __schema_url__ = "https://example.com/v2/facets.json#/$defs/BigQueryStatisticsJobFacet"

    billed_bytes: Annotated[int, Field(alias="billedBytes")]
    cached: bool


def custom_facet(wire_format: WireFormat) -> Iterator[tuple[str, JobEvent]]:
    build = JobEventBuilder(
        "bigquery", "shop.orders_by_day", producer="https://example.com/v2/bigquery", wire_format=wire_format
    )
    with producer("https://example.com/v2/bigquery"):
        build.job.facet(BigQueryStatisticsJobFacet(billed_bytes=10_485_760, cached=False))
    yield "custom_facet", build.build("2026-03-01T09:00:00Z")


COMPOSED: list[Callable[[WireFormat], Iterator[tuple[str, Event]]]] = [
    tags_on_every_entity,
    lifecycle,
    four_kinds_of_facets,
    static_lineage,
    custom_facet,
]
CASES = [
    pytest.param(name, event, wire_format, id=f"{name}-{wire_format}")
    for wire_format in ("released", "proposal")
    for compose in COMPOSED
    for name, event in compose(wire_format)
]

TAGS = {
    "released": {facet.url for place, facet in RELEASED.items() if place.key == "tags"},
    "proposal": {facet.url for place, facet in PROPOSALS.items() if place.key == "tags"},
}


def as_in_example(value: Any, wire_format: WireFormat) -> Any:
    """Return a composed event in the form of the examples, with typed values for released tags."""
    if isinstance(value, list):
        return [as_in_example(item, wire_format) for item in value]
    if not isinstance(value, dict):
        return value
    found = {name: as_in_example(item, wire_format) for name, item in value.items()}
    if isinstance(found.get("tags"), dict):
        facet = found["tags"]
        assert facet.keys() == {"_producer", "_schemaURL", "tags"}
        assert facet["_schemaURL"] in TAGS[wire_format]
        found["tags"] = facet["tags"]
        if wire_format == "released":
            for tag in found["tags"]:
                tag["value"] = {"true": True}.get(tag["value"], tag["value"])
    return found


@each(("name", "event", "wire_format"), CASES)
def test_composed_event_is_valid_and_equals_example(name: str, event: Event, wire_format: WireFormat) -> None:
    expected = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    expected.setdefault("schemaURL", type(event).__schema_url__)
    assert without_producers(as_in_example(event.to_dict(), wire_format)) == expected
    wire = json.loads(event.to_json())
    assert (oracle_result(wire).failed, oracle_result(wire).kind) == ("", type(event).__name__)
    assert parse_event(event.to_json()).to_json() == event.to_json()


def test_every_example_file_is_used() -> None:
    assert {path.stem for path in EXAMPLES.iterdir()} == {name for case in CASES for name in case.values[:1]}
