"""The tags proposal's own examples, their syntax mended, composed with this package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import InputDataset, Job, Run, RunEvent, parse_event, producer
from openlineage_facets.facets import SchemaDatasetFacet, schema_dataset
from openlineage_facets.tags import Spelling, Tag, tags_facet, tags_of, user_tags, with_user_tags

PROPOSAL = Path(__file__).parent / "proposal"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    event: dict[str, Any] = json.loads((PROPOSAL / "run_event.json").read_text("utf-8"))
    return event


def composed(example: dict[str, Any], spelling: Spelling) -> RunEvent:
    def tags(entity: dict[str, Any]) -> list[Tag]:
        return [Tag(**tag) for tag in entity["facets"]["tags"]]

    run, job, (dataset,) = example["run"], example["job"], example["inputs"]
    fields = dataset["facets"]["schema"]["fields"]
    with producer(example["producer"]):
        return RunEvent(
            event_type=example["eventType"],
            event_time=example["eventTime"],
            schema_url=example["schemaURL"],
            run=Run(run_id=run["runId"], facets=[tags_facet("run", tags(run), spelling)]),
            job=Job(
                namespace=job["namespace"],
                name=job["name"],
                facets=[tags_facet("job", tags(job), spelling)],
            ),
            inputs=[
                InputDataset(
                    namespace=dataset["namespace"],
                    name=dataset["name"],
                    facets=[
                        tags_facet("dataset", tags(dataset), spelling),
                        SchemaDatasetFacet(
                            fields=[schema_dataset.SchemaDatasetFacetFields(**f) for f in fields]
                        ),
                    ],
                )
            ],
        )


def bare(value: Any) -> Any:
    """Return an event as the proposal draws it: tags facets as bare lists, facets without their producers."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("tags"), list) and "_producer" in value:
        return value["tags"]
    return {name: bare(item) for name, item in value.items() if name not in ("_producer", "_schemaURL")}


def test_the_run_event_in_the_proposals_spelling_is_the_example(example: dict[str, Any]) -> None:
    event = composed(example, "proposal")
    assert parse_event(event.to_json()) == event
    assert bare(event.to_dict()) == example


def test_the_run_event_in_the_released_spelling_is_the_example_in_text(example: dict[str, Any]) -> None:
    event = composed(example, "released")
    assert parse_event(event.to_json()) == event
    assert bare(event.to_dict()) == json.loads(json.dumps(example).replace("true", '"true"'))


@pytest.mark.parametrize("spelling", ["released", "proposal"])
def test_the_tags_are_read_back_from_the_parsed_event(example: dict[str, Any], spelling: Spelling) -> None:
    event = parse_event(composed(example, spelling).to_json())
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


def test_nested_metadata_becomes_a_single_tag() -> None:
    (tag,) = Tag.flatten({"meta": {"nr_config": {"team": "Order Management"}}}, source="DBT")
    assert tags_facet("dataset", [tag]).to_dict()["tags"] == [
        {**json.loads((PROPOSAL / "tag.json").read_text("utf-8")), "source": "DBT"}
    ]


def test_tokens_match_their_source_as_closely_as_possible() -> None:
    assert [Tag.parse(token) for token in ("team=dataos", "pii", "production")] == [
        Tag("team", "dataos"),
        Tag("pii", True),
        Tag("production", True),
    ]


def test_a_column_tag_names_its_field() -> None:
    tag = Tag("visibility", "public", source="SNOWFLAKE", field="job_title")
    dataset = InputDataset(
        namespace="snowflake://hr", name="hr.tables.empl_info", facets=[tags_facet("dataset", [tag])]
    )
    read = InputDataset.from_json(dataset.to_json())
    assert read.facets is not None
    assert tags_of(read.facets.tags) == [tag]


@pytest.mark.parametrize("name", ["OPENLINEAGE_TAG_ENVIRONMENT", "OPENLINEAGE_TAG__ENVIRONMENT"])
def test_a_tag_from_the_environment_goes_on_job_and_run_and_on_no_dataset(name: str) -> None:
    user = user_tags({name: "prod"})
    environment = Tag("environment", "prod", source="USER")
    assert with_user_tags("job", [], user) == with_user_tags("run", [], user) == [environment]
    assert with_user_tags("dataset", [], user) == []
