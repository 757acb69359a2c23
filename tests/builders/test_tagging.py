"""Tags by builder: on job and run together, on each dataset by itself, the user's own on top."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import EventError, parse_event
from openlineage_facets.facets import JobFacet, TagsJobFacet, TagsRunFacet, tags_job, tags_run
from openlineage_facets.tags import Tag
from tests.builders.orders import DAILY, LAKE, RAW, dataset_builder, job_builder, run_builder
from tests.oracle.judge import judge

USER = {"key": "environment", "value": "prod", "source": "USER"}


def tags_in(entity: dict[str, Any]) -> Any:
    return entity.get("facets", {}).get("tags", {}).get("tags")


def wire(event: Any) -> Any:
    """Return the wire form of an event that is strictly valid."""
    found = json.loads(event.to_json())
    assert judge(found).failed == ""
    assert parse_event(event.to_json()) == event
    return found


def test_a_tag_of_a_run_event_is_on_job_and_run() -> None:
    build = run_builder().tag("pii").tag("team", "dataos", source="AIRFLOW")
    build.input(LAKE, RAW)
    event = wire(build.start())
    tags = [{"key": "pii", "value": "true"}, {"key": "team", "value": "dataos", "source": "AIRFLOW"}]
    assert tags_in(event["job"]) == tags_in(event["run"]) == tags
    assert tags_in(event["inputs"][0]) is None


def test_a_tag_may_be_on_one_of_them_alone() -> None:
    build = run_builder()
    build.job.tag("nightly")
    build.run.tag("attempt", 2)
    event = wire(build.start())
    assert tags_in(event["job"]) == [{"key": "nightly", "value": "true"}]
    assert tags_in(event["run"]) == [{"key": "attempt", "value": "2"}]


def test_many_tags_come_at_once() -> None:
    tokens = ("crr_pipeline", "prod", "team=dataos")
    event = wire(run_builder().tags(Tag.parse(token, source="AIRFLOW") for token in tokens).start())
    assert [(tag["key"], tag["value"]) for tag in tags_in(event["job"])] == [
        ("crr_pipeline", "true"),
        ("prod", "true"),
        ("team", "dataos"),
    ]
    assert tags_in(event["job"]) == tags_in(event["run"])


def test_tags_add_up_and_the_later_one_of_a_key_and_source_holds() -> None:
    run = run_builder().run.tag("team", "a").tag("team", "b", source="DBT").tag("team", "c")
    assert tags_in(run.build().to_dict()) == [
        {"key": "team", "value": "c"},
        {"key": "team", "value": "b", "source": "DBT"},
    ]


def test_every_event_that_tells_tags_tells_the_complete_set() -> None:
    """Readers take the latest tags facet for all the tags there are."""
    build = run_builder().tag("pii")
    build.start()
    build.run.tag("late")
    event = wire(build.complete())
    assert [tag["key"] for tag in tags_in(event["run"])] == ["pii", "late"]
    assert tags_in(event["job"]) is None


@pytest.mark.parametrize(
    "dataset",
    [
        lambda: run_builder().input(LAKE, RAW),
        lambda: run_builder().output(LAKE, DAILY),
        lambda: dataset_builder().dataset,
    ],
    ids=["input", "output", "dataset"],
)
def test_a_tag_of_a_dataset_may_name_a_field(dataset: Any) -> None:
    builder = dataset().tag("pii", field="email", source="DBT").tags([Tag("pii"), Tag("pii", field="phone")])
    assert tags_in(builder.build().to_dict()) == [
        {"key": "pii", "value": "true", "source": "DBT", "field": "email"},
        {"key": "pii", "value": "true"},
        {"key": "pii", "value": "true", "field": "phone"},
    ]


@pytest.mark.parametrize(
    "builder", [lambda: run_builder().run, lambda: run_builder().job, lambda: job_builder().job]
)
def test_a_tag_of_a_run_or_job_names_no_field(builder: Any) -> None:
    entity = builder().tag("pii")
    with pytest.raises(EventError, match="/field: expected no field on a tag of a .*tag the dataset"):
        entity.tag("secret", field="email")
    assert [tag["key"] for tag in tags_in(entity.build().to_dict())] == ["pii"]


def test_the_proposals_spelling_keeps_the_type_of_values() -> None:
    build = run_builder(spelling="proposal").tag("pii").tag("retries", 3)
    build.input(LAKE, RAW).tag("limit", 2.5, field="amount")
    event = wire(build.start())
    assert [tag["value"] for tag in tags_in(event["job"])] == [True, 3]
    assert tags_in(event["inputs"][0]) == [{"key": "limit", "value": 2.5, "field": "amount"}]
    assert "TagRunFacet" in event["run"]["facets"]["tags"]["_schemaURL"]


@pytest.mark.parametrize("builder", [run_builder, job_builder, dataset_builder])
def test_a_spelling_nobody_knows_is_refused_at_once(builder: Any) -> None:
    with pytest.raises(EventError, match="'released'.*'proposal'.*proposl"):
        builder(spelling="proposl")


def test_tags_may_be_the_rows_of_their_facet() -> None:
    rows = [{"key": "team", "value": "dataos", "source": "AIRFLOW"}, {"key": "pii", "value": "true"}]
    typed = [tags_job.TagsJobFacetFields(**row) for row in rows]
    assert tags_in(run_builder().job.tags(tags=rows).build().to_dict()) == rows
    assert tags_in(run_builder().job.tags(tags=typed).build().to_dict()) == rows
    assert (
        tags_in(run_builder().job.tags([Tag("team", "dataos", "AIRFLOW"), rows[1]]).build().to_dict()) == rows
    )


@pytest.mark.parametrize(
    "row", [{}, {"key": "pii"}, {"value": "true"}, {"key": "pii", "value": "true", "feild": "x"}]
)
def test_a_row_that_is_no_tag_is_refused(row: Any) -> None:
    with pytest.raises(EventError, match="/tags|/key|/value"):
        run_builder().job.tags([row])


# The user's own, from the environment.


@pytest.fixture
def prod(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_ENVIRONMENT", "prod")


@pytest.mark.usefixtures("prod")
def test_user_tags_are_on_job_and_run_and_on_no_dataset() -> None:
    build = run_builder()
    build.input(LAKE, RAW).tag("pii")
    build.output(LAKE, DAILY)
    event = wire(build.start())
    assert tags_in(event["job"]) == tags_in(event["run"]) == [USER]
    assert tags_in(event["inputs"][0]) == [{"key": "pii", "value": "true"}]
    assert tags_in(event["outputs"][0]) is None


@pytest.mark.usefixtures("prod")
def test_user_tags_are_on_a_static_job_and_on_no_static_dataset() -> None:
    assert tags_in(wire(job_builder().build())["job"]) == [USER]
    dataset = dataset_builder()
    dataset.dataset.tag("pii")
    assert tags_in(wire(dataset.build())["dataset"]) == [{"key": "pii", "value": "true"}]
    assert tags_in(wire(dataset_builder().build())["dataset"]) is None


def test_user_tags_of_the_run_alone_are_on_the_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TAGS__RUN__ATTEMPT", "2")
    event = wire(run_builder().start())
    assert tags_in(event["run"]) == [{"key": "attempt", "value": "2", "source": "USER"}]
    assert tags_in(event["job"]) is None


OTHERS_WAYS = [
    pytest.param(lambda one: one.tag("Environment", "dev", source="DBT"), id="tag"),
    pytest.param(lambda one: one.tags([Tag("ENVIRONMENT", "dev")]), id="tags"),
]
FACETS = [
    pytest.param(
        "run", TagsRunFacet(tags=[tags_run.TagsRunFacetFields(key="Environment", value="dev")]), id="run"
    ),
    pytest.param(
        "job", TagsJobFacet(tags=[tags_job.TagsJobFacetFields(key="Environment", value="dev")]), id="job"
    ),
]


@pytest.mark.usefixtures("prod")
@pytest.mark.parametrize("tag", OTHERS_WAYS)
@pytest.mark.parametrize("entity", ["run", "job"])
def test_a_user_tag_overrides_an_integrations_tag_whatever_its_case(tag: Any, entity: str) -> None:
    build = run_builder()
    tag(getattr(build, entity))
    assert tags_in(wire(build.start())[entity]) == [USER]


@pytest.mark.usefixtures("prod")
@pytest.mark.parametrize(("entity", "facet"), FACETS)
def test_a_user_tag_overrides_the_tag_of_an_integrations_facet(entity: str, facet: Any) -> None:
    build = run_builder()
    getattr(build, entity).facet(facet)
    assert tags_in(wire(build.start())[entity]) == [USER]


@pytest.mark.parametrize(("entity", "facet"), FACETS)
def test_no_tag_gets_lost_between_facet_and_tag(entity: str, facet: Any) -> None:
    build = run_builder()
    getattr(build, entity).facet(facet).tag("pii")
    assert [tag["key"] for tag in tags_in(wire(build.start())[entity])] == ["Environment", "pii"]


@pytest.mark.parametrize(
    "delete",
    [
        pytest.param(lambda job: job.delete("tags"), id="delete"),
        pytest.param(lambda job: job.facet(TagsJobFacet(deleted=True)), id="tombstone of the class"),
        pytest.param(lambda job: job.facet(JobFacet(deleted=True), key="tags"), id="tombstone of the base"),
    ],
)
def test_deleted_tags_stay_deleted(delete: Any) -> None:
    job = delete(run_builder().job.tag("pii"))
    assert tags_in(job.tag("team", "dataos").build().to_dict()) == [{"key": "team", "value": "dataos"}]


@pytest.mark.usefixtures("prod")
def test_user_tags_survive_every_call() -> None:
    build = run_builder().tag("pii").tags([]).tag("environment", "dev")
    event = wire(build.start())
    assert tags_in(event["job"]) == tags_in(event["run"]) == [{"key": "pii", "value": "true"}, USER]


# Bad tags.


@pytest.mark.parametrize(
    "builder", [run_builder, lambda: run_builder().job, lambda: dataset_builder().dataset]
)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("",), "/key: .*name the tag"),
        (("  ",), "/key: .*name the tag"),
        ((None,), "/key: expected a string"),
        (("team", {"name": "dataos"}), "/value: .*Tag.flatten"),
        (("team", ["dataos"]), "/value: .*Tag.flatten"),
        (("team", None), "/value: .*leave the"),
        (("limit", float("nan")), "/value: .*finite"),
        (("limit", float("inf")), "/value: .*finite"),
        (("team", "dataos", 7), "/source: .*string"),
    ],
)
def test_a_bad_tag_is_refused_and_none_is_lost(builder: Any, arguments: Any, message: str) -> None:
    build = builder().tag("pii")
    with pytest.raises(EventError, match=message):
        build.tag(*arguments)
    assert build.tag("last") is build


@pytest.mark.parametrize(
    "builder", [run_builder, lambda: run_builder().job, lambda: dataset_builder().dataset]
)
@pytest.mark.parametrize("tags", [Tag("pii"), "pii", ["pii"], [None], 7])
def test_what_is_no_list_of_tags_is_refused(builder: Any, tags: Any) -> None:
    with pytest.raises(EventError, match="/tags"):
        builder().tags(tags)


def test_one_bad_tag_keeps_the_others_out() -> None:
    build = run_builder()
    with pytest.raises(EventError, match="/tags/1/field"):
        build.tags([Tag("team"), Tag("pii", field="email")])
    event = wire(build.start())
    assert tags_in(event["job"]) is tags_in(event["run"]) is None
