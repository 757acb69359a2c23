"""Tags of builders: on job and run together, on each dataset, and from the environment."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import EventError, RunEventBuilder, parse_event, producer
from openlineage_facets.builders import entity_builders
from openlineage_facets.builders.retagging import retagged
from openlineage_facets.facets import JobFacet, TagRunFacet, TagsJobFacet, TagsRunFacet, tags_job
from openlineage_facets.tags import Tag
from tests.builders.sample_builders import DAILY, LAKE, RAW, dataset_builder, job_builder, run_builder
from tests.cases import each
from tests.oracle.expected_results import oracle_result

USER = {"key": "environment", "value": "prod", "source": "USER"}


def tags_in(entity: dict[str, Any]) -> Any:
    return entity.get("facets", {}).get("tags", {}).get("tags")


def wire(event: Any) -> Any:
    """Return the wire form of a valid event."""
    found = json.loads(event.to_json())
    assert oracle_result(found).failed == ""
    assert parse_event(event.to_json()) == event
    return found


def test_tags_are_added_to_job_and_run_together_or_to_one_of_them() -> None:
    build = run_builder().tag("pii").tag("team", "dataos", source="AIRFLOW")
    build.tags(Tag.parse(token) for token in ("prod", "owner=ana"))
    build.job.tag("nightly")
    build.run.tag("attempt", 2)
    build.input(LAKE, RAW)
    event = wire(build.start())
    both = [
        {"key": "pii", "value": "true"},
        {"key": "team", "value": "dataos", "source": "AIRFLOW"},
        {"key": "prod", "value": "true"},
        {"key": "owner", "value": "ana"},
    ]
    assert tags_in(event["job"]) == [*both, {"key": "nightly", "value": "true"}]
    assert tags_in(event["run"]) == [*both, {"key": "attempt", "value": "2"}]
    assert tags_in(event["inputs"][0]) is None


def test_later_tag_with_same_key_and_source_replaces_earlier() -> None:
    run = run_builder().run.tag("team", "a").tag("team", "b", source="DBT").tag("team", "c")
    assert tags_in(run.build().to_dict()) == [
        {"key": "team", "value": "c"},
        {"key": "team", "value": "b", "source": "DBT"},
    ]


def test_tags_facet_always_has_all_tags() -> None:
    """Readers use only the latest tags facet."""
    build = run_builder().tag("pii")
    build.start()
    build.run.tag("late")
    event = wire(build.running())
    assert [tag["key"] for tag in tags_in(event["run"])] == ["pii", "late"]
    assert tags_in(event["job"]) is None


@each(
    "dataset",
    [
        lambda: run_builder().input(LAKE, RAW),
        lambda: run_builder().output(LAKE, DAILY),
        lambda: dataset_builder().dataset,
    ],
)
def test_dataset_tag_can_have_field(dataset: Any) -> None:
    builder = dataset().tag("pii", field="email", source="DBT").tags([Tag("pii"), Tag("pii", field="phone")])
    assert tags_in(builder.build().to_dict()) == [
        {"key": "pii", "value": "true", "source": "DBT", "field": "email"},
        {"key": "pii", "value": "true"},
        {"key": "pii", "value": "true", "field": "phone"},
    ]


@each("builder", [lambda: run_builder().run, lambda: run_builder().job])
def test_field_of_run_or_job_tag_is_rejected(builder: Any) -> None:
    entity = builder().tag("pii")
    with pytest.raises(EventError, match="/field: expected a tag of a .*tag the dataset"):
        entity.tag("secret", field="email")
    assert [tag["key"] for tag in tags_in(entity.build().to_dict())] == ["pii"]


def test_proposal_format_keeps_value_types() -> None:
    build = run_builder(wire_format="proposal").tag("pii").tag("retries", 3)
    build.input(LAKE, RAW).tag("limit", 2.5, field="amount")
    event = wire(build.start())
    assert [tag["value"] for tag in tags_in(event["job"])] == [True, 3]
    assert tags_in(event["inputs"][0]) == [{"key": "limit", "value": 2.5, "field": "amount"}]
    assert "TagRunFacet" in event["run"]["facets"]["tags"]["_schemaURL"]


@each("builder", [run_builder, job_builder, dataset_builder])
def test_unknown_wire_format_is_rejected(builder: Any) -> None:
    with pytest.raises(EventError, match="'released'.*'proposal'.*proposl"):
        builder(wire_format="proposl")


def test_tags_accepts_items_of_tags_facets() -> None:
    rows = [{"key": "team", "value": "dataos", "source": "AIRFLOW"}, {"key": "pii", "value": "true"}]
    typed = [tags_job.TagsJobFacetFields(**row) for row in rows]
    for tags in (rows, typed, [Tag("team", "dataos", "AIRFLOW"), rows[1]]):
        assert tags_in(run_builder().job.tags(tags=tags).build().to_dict()) == rows
    column = {"key": "pii", "value": "true", "source": "DBT", "field": "email"}
    assert tags_in(dataset_builder().dataset.tags([column]).build().to_dict()) == [column]


# Tags from the environment.


@pytest.fixture
def prod(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_ENVIRONMENT", "prod")


@pytest.mark.usefixtures("prod")
def test_user_tags_are_added_to_job_and_run_only() -> None:
    build = run_builder()
    build.input(LAKE, RAW).tag("pii")
    build.output(LAKE, DAILY)
    event = wire(build.start())
    assert tags_in(event["job"]) == tags_in(event["run"]) == [USER]
    assert tags_in(event["inputs"][0]) == [{"key": "pii", "value": "true"}]
    assert tags_in(event["outputs"][0]) is None


@pytest.mark.usefixtures("prod")
def test_user_tags_are_added_to_job_events_but_not_to_dataset_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TAGS__RUN__ATTEMPT", "2")
    assert tags_in(wire(job_builder().build())["job"]) == [USER]
    assert tags_in(wire(dataset_builder().build())["dataset"]) is None
    attempt = {"key": "attempt", "value": "2", "source": "USER"}
    assert attempt in tags_in(wire(run_builder().start())["run"])


@each("entity", ["run", "job"])
def test_tags_of_the_user_override_those_of_methods_and_facets_in_any_case(
    entity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"key": "Environment", "value": "dev"}
    facet = TagsRunFacet(tags=[row]) if entity == "run" else TagsJobFacet(tags=[row])
    with monkeypatch.context() as patch:
        patch.setenv("OPENLINEAGE_TAG_ENVIRONMENT", "prod")
        for add in (
            lambda builder: builder.tag("Environment", "dev", source="DBT"),
            lambda builder: builder.tags([Tag("ENVIRONMENT", "dev")]),
            lambda builder: builder.facet(facet),
        ):
            build = run_builder()
            add(getattr(build, entity))
            assert tags_in(wire(build.start())[entity]) == [USER]
    build = run_builder()
    getattr(build, entity).facet(facet).tag("pii")
    assert [tag["key"] for tag in tags_in(wire(build.start())[entity])] == ["Environment", "pii"]


@pytest.mark.parametrize("options", [{}, {"wire_format": "proposal"}], ids=["released", "proposal"])
def test_other_content_of_tags_facets_is_kept(options: dict[str, Any]) -> None:
    schema = {} if options else {"_schemaURL": "https://example.com/Tags.json"}
    facet = {"_producer": "https://example.com/dbt", "_schemaURL": TagsRunFacet.__schema_url__, **schema}
    reported = [{"key": "pii", "value": "true", "reason": "email"}, {"key": "team", "value": "a", "since": 1}]
    first, second = ({**facet, "tags": [tag], f"version{tag['key']}": 3} for tag in reported)
    build = run_builder(**options)
    build.run.facet(TagsRunFacet.from_json(first)).facet(TagsRunFacet.from_json(second)).tag("late", "yes")
    tags = wire(build.start())["run"]["facets"]["tags"]
    assert tags.pop("_schemaURL") == (TagRunFacet.__schema_url__ if options else facet["_schemaURL"])
    late = {"key": "late", "value": "yes"}
    expected = {"versionpii": 3, "versionteam": 3, "tags": [*reported, late]}
    assert tags == {"_producer": "https://example.com/dbt", **expected}


@each(
    "delete",
    [
        lambda job: job.delete("tags"),
        lambda job: job.facet(TagsJobFacet(deleted=True)),
        lambda job: job.facet(JobFacet(deleted=True), key="tags"),
    ],
    ids=["delete", "tombstone of the class", "tombstone of the base"],
)
def test_deleted_tags_are_not_restored(delete: Any) -> None:
    job = delete(run_builder().job.tag("pii"))
    assert tags_in(job.tag("team", "dataos").build().to_dict()) == [{"key": "team", "value": "dataos"}]


# Invalid tags.


BUILDERS = [run_builder, lambda: run_builder().job, lambda: dataset_builder().dataset]


@each("builder", BUILDERS)
@each(
    ("arguments", "message"),
    [
        (("",), "/key: .*pass a key"),
        (("  ",), "/key: .*pass a key"),
        ((None,), "/key: expected a string"),
        (("team", {"name": "dataos"}), "/value: .*Tag.flatten"),
        (("team", ["dataos"]), "/value: .*Tag.flatten"),
        (("team", None), "/value: .*omit the"),
        (("limit", float("nan")), "/value: .*finite"),
        (("limit", float("inf")), "/value: .*finite"),
        (("team", "dataos", 7), "/source: .*string"),
    ],
)
def test_invalid_tag_is_rejected_and_others_are_kept(builder: Any, arguments: Any, message: str) -> None:
    build = builder().tag("pii")
    with pytest.raises(EventError, match=message):
        build.tag(*arguments)
    assert build.tag("last") is build


@each("builder", BUILDERS)
@each("tags", [Tag("pii"), "pii", [None], {"key": "pii", "value": "x"}, 7, [Tag("pii"), None]])
def test_an_invalid_list_of_tags_adds_none(builder: Any, tags: Any) -> None:
    build = builder()
    with pytest.raises(EventError, match="/tags"):
        build.tags(tags)
    assert "pii" not in repr(build)


@each("row", [{}, {"key": "pii"}, {"value": "true"}, {"key": "pii", "value": "true", "feild": "x"}])
def test_an_invalid_item_is_rejected(row: Any) -> None:
    with pytest.raises(EventError, match="/tags"):
        run_builder().job.tags([row])


def test_the_tags_facet_is_created_once_for_many_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[int] = []

    def counted(entity: Any, facets: Any, tags: Any, *options: Any) -> Any:
        created.append(len(tags))
        return retagged(entity, facets, tags, *options)

    monkeypatch.setattr(entity_builders, "retagged", counted)
    job = job_builder().job
    for number in range(100):
        job.tag(f"tag{number}", number)
    assert len(job.build().facets.tags.tags) == 100
    assert job.has_changes()
    assert created == [100]


def test_tags_have_the_producer_of_the_block_that_adds_them() -> None:
    job = RunEventBuilder("etl", "orders.daily").job
    with producer("https://example.com/v7/etl"):
        job.tag("pii")
    assert job.build().facets.tags.producer == "https://example.com/v7/etl"
