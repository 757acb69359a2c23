"""The tags of the user are added to events in the wire format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import Job, JobEvent, Run, RunEvent, parse_event
from openlineage_facets.facets import TagJobFacet
from openlineage_facets.tags import Tag, UserTags, tags_facet, tags_of
from openlineage_facets.tags.user_tags import line_with_user_tags
from tests.cases import each

USER = UserTags((Tag("team", "dataos", "USER"),), (Tag("cost", "20", "USER"),))
PRODUCER = "https://example.com/v7/etl"


def line(tags: Any = None, **job: Any) -> bytes:
    facets = None if tags is None else {"tags": tags}
    event = RunEvent(
        event_type="START",
        producer=PRODUCER,
        run=Run(),
        job=Job(namespace="etl", name="größe", facets=facets, **job),
    )
    return event.to_json()


def job_tags(text: bytes) -> list[Tag]:
    return tags_of(parse_event(text).job.facets.tags)


def test_job_and_run_without_tags_get_those_of_the_user():
    event = parse_event(line_with_user_tags(line(), USER))
    assert tags_of(event.job.facets.tags) == list(USER.job)
    assert tags_of(event.run.facets.tags) == list(USER.run)
    assert event.job.facets.tags.producer == PRODUCER


def test_an_event_of_a_job_gets_the_tags_of_jobs():
    event = JobEvent(job=Job(namespace="etl", name="orders"))
    assert job_tags(line_with_user_tags(event.to_json(), USER)) == list(USER.job)


def test_user_tags_replace_those_with_the_same_key_whatever_their_case():
    tags = tags_facet("job", [Tag("Team", "?", source="DBT"), Tag("pii")])
    assert job_tags(line_with_user_tags(line(tags), USER)) == [Tag("pii", "true"), *USER.job]


def test_the_wire_format_of_tags_stays():
    tags = tags_facet("job", [Tag("retries", 3)], "proposal")
    event = parse_event(line_with_user_tags(line(tags), USER))
    assert tags_of(event.job.facet(TagJobFacet)) == [Tag("retries", 3), *USER.job]


@each(("known", "value"), [(1, True), (True, 1), ("1", 1)])
def test_a_tag_with_a_value_of_another_type_is_replaced(known: Any, value: Any):
    tags = tags_facet("job", [Tag("retries", known, "USER")], "proposal")
    tagged = line_with_user_tags(line(tags), UserTags((Tag("retries", value, "USER"),)))
    assert tags_of(parse_event(tagged).job.facet(TagJobFacet)) == [Tag("retries", value, "USER")]


@each("text", [b"[]", b"7", b'{"job": 7}', b'{"job": {"facets": []}}', b'{"dataset": {"name": "m"}}'])
def test_what_has_no_job_or_run_to_tag_is_returned_unchanged(text: bytes):
    assert line_with_user_tags(text, USER) == text


def test_an_event_with_the_tags_is_returned_unchanged():
    once = line_with_user_tags(line(), USER)
    assert line_with_user_tags(once, USER) is once
    assert line_with_user_tags(once, UserTags()) is once


def test_the_rest_of_the_event_stays():
    document = {"x": [None, 1.0, 10**30, {}], "job": {"acme": "ü\ud800", "facets": None}, "run": 7}
    text = json.dumps(document).encode()
    tagged = json.loads(line_with_user_tags(text, USER))
    assert tagged.pop("job").pop("facets")["tags"]["tags"] == [
        {"key": "team", "value": "dataos", "source": "USER"}
    ]
    assert tagged == {"x": document["x"], "run": 7}


@each("tags", [7, [], {"tags": {}}, {"_deleted": True, "tags": []}])
def test_a_tags_facet_that_is_invalid_or_deleted_stays(tags: Any, caplog: pytest.LogCaptureFixture):
    text = json.dumps({"job": {"facets": {"tags": tags}}}).encode()
    assert line_with_user_tags(text, USER) == text
    assert caplog.messages == ["the job has no user tags: its tags facet is invalid or a tombstone"]


@each(
    "text",
    [
        b'{"job":{},"x":' + b"1" * 5000 + b"}",
        b'{"job":{},"x":"\xff"}',
        b"[" * 100_000,
        b'{"job": {"facets": {"x": 1e400}}}',
    ],
    ids="abcd",
)
def test_a_line_that_python_cannot_represent_is_returned_unchanged(
    text: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert line_with_user_tags(text, USER) is text
    assert "an event has no user tags" in caplog.text
