"""The examples of the tags proposal, with their syntax fixed, composed with this package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import InputDataset, Job, Run, RunEvent, parse_event, producer
from openlineage_facets.facets import SchemaDatasetFacet, schema_dataset
from openlineage_facets.tags import Tag, WireFormat, tags_facet, tags_of, user_tags, with_user_tags

PROPOSAL = Path(__file__).parent / "proposal"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    event: dict[str, Any] = json.loads((PROPOSAL / "run_event.json").read_text("utf-8"))
    return event


def composed(example: dict[str, Any], wire_format: WireFormat) -> RunEvent:
    def tags(entity: dict[str, Any]) -> list[Tag]:
        return [Tag(**tag) for tag in entity["facets"]["tags"]]

    run, job, (dataset,) = example["run"], example["job"], example["inputs"]
    fields = dataset["facets"]["schema"]["fields"]
    with producer(example["producer"]):
        return RunEvent(
            event_type=example["eventType"],
            event_time=example["eventTime"],
            schema_url=example["schemaURL"],
            run=Run(run_id=run["runId"], facets=[tags_facet("run", tags(run), wire_format)]),
            job=Job(
                namespace=job["namespace"],
                name=job["name"],
                facets=[tags_facet("job", tags(job), wire_format)],
            ),
            inputs=[
                InputDataset(
                    namespace=dataset["namespace"],
                    name=dataset["name"],
                    facets=[
                        tags_facet("dataset", tags(dataset), wire_format),
                        SchemaDatasetFacet(
                            fields=[schema_dataset.SchemaDatasetFacetFields(**f) for f in fields]
                        ),
                    ],
                )
            ],
        )


def without_producers(value: Any) -> Any:
    """Return an event as written in the proposal: tags facets as lists, facets without producers."""
    if isinstance(value, list):
        return [without_producers(item) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("tags"), list) and "_producer" in value:
        return value["tags"]
    return {
        name: without_producers(item)
        for name, item in value.items()
        if name not in ("_producer", "_schemaURL")
    }


def test_run_event_in_proposal_format_equals_example(example: dict[str, Any]) -> None:
    event = composed(example, "proposal")
    assert parse_event(event.to_json()) == event
    assert without_producers(event.to_dict()) == example


def test_run_event_in_released_format_equals_example_with_string_values(example: dict[str, Any]) -> None:
    event = composed(example, "released")
    assert parse_event(event.to_json()) == event
    assert without_producers(event.to_dict()) == json.loads(json.dumps(example).replace("true", '"true"'))


@pytest.mark.parametrize("wire_format", ["released", "proposal"])
def test_tags_of_parsed_event(example: dict[str, Any], wire_format: WireFormat) -> None:
    event = parse_event(composed(example, wire_format).to_json())
    assert isinstance(event, RunEvent)
    assert event.run.facets is not None
    assert event.job.facets is not None
    assert event.inputs is not None
    (dataset,) = event.inputs
    assert dataset.facets is not None
    for facets, entity in (
        (event.run.facets, example["run"]),
        (event.job.facets, example["job"]),
        (dataset.facets, example["inputs"][0]),
    ):
        assert tags_of(facets.tags, typed=True) == [Tag(**tag) for tag in entity["facets"]["tags"]]


def test_nested_metadata_is_one_tag() -> None:
    (tag,) = Tag.flatten({"meta": {"nr_config": {"team": "Order Management"}}}, source="DBT")
    assert tags_facet("dataset", [tag]).to_dict()["tags"] == [
        {**json.loads((PROPOSAL / "tag.json").read_text("utf-8")), "source": "DBT"}
    ]


def test_tokens_keep_their_text() -> None:
    assert [Tag.parse(token) for token in ("team=dataos", "pii", "production")] == [
        Tag("team", "dataos"),
        Tag("pii", True),
        Tag("production", True),
    ]


def test_column_tag_has_field() -> None:
    tag = Tag("visibility", "public", source="SNOWFLAKE", field="job_title")
    dataset = InputDataset(
        namespace="snowflake://hr", name="hr.tables.empl_info", facets=[tags_facet("dataset", [tag])]
    )
    read = InputDataset.from_json(dataset.to_json())
    assert read.facets is not None
    assert tags_of(read.facets.tags) == [tag]


@pytest.mark.parametrize("name", ["OPENLINEAGE_TAG_ENVIRONMENT", "OPENLINEAGE_TAG__ENVIRONMENT"])
def test_environment_tag_is_added_to_job_and_run_only(name: str) -> None:
    user = user_tags({name: "prod"})
    environment = Tag("environment", "prod", source="USER")
    assert with_user_tags("job", [], user) == with_user_tags("run", [], user) == [environment]
    assert with_user_tags("dataset", [], user) == []
