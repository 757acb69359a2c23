"""Built events are immutable."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from openlineage_facets import EventError, RunEvent
from openlineage_facets.facets import DatasetFacet
from tests.builders.sample_builders import DAILY, LAKE, NOON, RAW, dataset_builder, job_builder, run_builder
from tests.builders.test_run_lifecycle import STEPS, Step


@given(STEPS)
def test_later_calls_do_not_change_events(steps: list[Step]) -> None:
    build = run_builder()
    built: list[tuple[RunEvent, bytes]] = []
    for _, call in steps:
        try:
            made = call(build)
        except EventError:
            continue
        if isinstance(made, RunEvent):
            built.append((made, made.to_json()))
        assert [event.to_json() for event, _ in built] == [before for _, before in built]


def test_later_calls_do_not_change_job_events() -> None:
    build = job_builder()
    build.job.sql(query="select 1")
    build.input(LAKE, RAW).schema(fields=[{"name": "id"}])
    event = build.build(NOON)
    before = event.to_json()
    build.job.sql(query="select 2").documentation(description="Orders by day.")
    build.input(LAKE, RAW).delete("schema")
    build.output(LAKE, DAILY)
    build.job.tag("pii")
    assert event.to_json() == before
    assert build.build(NOON).to_json() != before


def test_later_calls_do_not_change_dataset_events() -> None:
    build = dataset_builder()
    build.dataset.schema(fields=[{"name": "id"}]).tag("pii")
    event = build.build(NOON)
    before = event.to_json()
    build.dataset.delete("schema").tag("pii", value=False).version(dataset_version="2")
    assert event.to_json() == before


def test_later_calls_do_not_change_entities() -> None:
    build = run_builder()
    entity = build.input(LAKE, RAW).version(dataset_version="1").build()
    before = entity.to_json()
    build.input(LAKE, RAW).version(dataset_version="2")
    assert entity.to_json() == before


def test_arguments_are_copied() -> None:
    rows: list[Any] = [{"name": "id", "fields": [{"name": "inner"}]}]
    metadata: dict[str, Any] = {"engine": ["spark"]}
    custom: dict[str, Any] = {"owners": ["ana"]}
    build = run_builder()
    source = build.input(LAKE, RAW).schema(fields=rows).iceberg_scan_report(metadata=metadata)
    source.facet(DatasetFacet(people=custom), key="acme_people")
    before = source.build().to_json()
    rows[0]["name"] = "other"
    rows[0]["fields"].append({"name": "second"})
    rows.append({"name": "more"})
    metadata["engine"].append("flink")
    custom["owners"].clear()
    assert source.build().to_json() == before


def test_nested_items_can_come_from_a_generator() -> None:
    build = dataset_builder()
    build.dataset.schema(fields=({"name": name} for name in ("id", "amount")))
    assert build.build(NOON).to_json() == build.build(NOON).to_json()
    assert [row["name"] for row in build.build().to_dict()["dataset"]["facets"]["schema"]["fields"]] == [
        "id",
        "amount",
    ]
