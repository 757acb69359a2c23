"""Tags may be passed as tokens or as a mapping."""

from __future__ import annotations

from typing import Any

import pytest

from openlineage_facets import DatasetEventBuilder, EventError, JobEventBuilder, RunEventBuilder
from openlineage_facets.facets import TagJobFacet
from openlineage_facets.tags import Tag, tag_list, tags_facet, tags_of, unique_tags, with_user_tags
from tests.cases import each

FORMS: tuple[Any, ...] = (
    [Tag("pii"), Tag("team", "dataos")],
    ["pii", "team=dataos"],
    {"pii": True, "team": "dataos"},
)


def test_an_iterator_may_be_passed() -> None:
    assert tag_list(tag for tag in ("pii", Tag("team", "dataos"))) == FORMS[0]


@each("tags", FORMS)
def test_facets_and_builders_accept_every_form(tags: Any) -> None:
    expected = tags_facet("job", FORMS[0], "proposal")
    assert tags_facet("job", tags, "proposal").tags == expected.tags
    assert tag_list(tags) == unique_tags("run", tags) == with_user_tags("run", tags) == FORMS[0]
    run = RunEventBuilder("etl", "daily", wire_format="proposal").tags(tags).start()
    job = JobEventBuilder("etl", "daily", wire_format="proposal")
    dataset = DatasetEventBuilder("s3://lake", "raw", wire_format="proposal")
    job.job.tags(tags)
    dataset.dataset.tags(tags)
    for entity in (run.run, run.job, job.build().job, dataset.build().dataset):
        facet: Any = entity.facets_or_empty["tags"]
        assert tags_of(facet) == FORMS[0]


@each(
    ("tags", "message"),
    [
        ("pii", "/tags: expected a list of tags"),
        (Tag("pii"), "wrap a single tag in a list"),
        ({"key": "team", "value": "dataos"}, "found a single tag; wrap a single tag in a list"),
        (["=x"], "a token with a key"),
        ({"team": ["a", "b"]}, "/value: "),
        ({"": "x"}, "/key: "),
    ],
)
def test_other_values_are_rejected(tags: Any, message: str) -> None:
    with pytest.raises(EventError, match=message):
        tag_list(tags)


def test_a_mapping_may_have_the_keys_of_a_tag_one_by_one() -> None:
    assert tag_list({"key": "value"}) == [Tag("key", "value")]


def test_the_class_of_a_facet_names_the_function_that_composes_it_from_tags() -> None:
    tag: Any = Tag("pii")
    with pytest.raises(EventError, match=r'found a Tag; tags_facet\("job", \[\.\.\.\]\) composes a facet'):
        TagJobFacet(tags=[tag])
