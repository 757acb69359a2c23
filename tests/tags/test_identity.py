"""The identity of tags within a facet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError
from openlineage_facets.tags import Tag, unique_tags
from tests.cases import each

from .tag_strategies import tags


def test_of_tags_with_the_same_identity_the_last_is_kept_at_the_place_of_the_first() -> None:
    different = [Tag("team", "a", "DBT"), Tag("team", "b", "USER"), Tag("team", "c"), Tag("Team")]
    assert unique_tags("run", [*different, Tag("team", "d", "USER")]) == [
        different[0],
        Tag("team", "d", "USER"),
        *different[2:],
    ]


def test_only_a_tag_that_is_replaced_by_another_one_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    unique_tags("job", [Tag("pii"), Tag("pii"), Tag("team", "early", "DBT"), Tag("team", "late", "DBT")])
    assert caplog.messages == [
        "Tag('team', 'early', source='DBT') of a job is replaced by a later tag with the same key:"
        " Tag('team', 'late', source='DBT')"
    ]


@each("entity", ["run", "job"])
def test_field_is_rejected_on_runs_and_jobs(entity: Any) -> None:
    with pytest.raises(EventError, match=f"^/tags/1/field: expected a tag of a {entity} without a field"):
        unique_tags(entity, [Tag("pii"), Tag("pii", field="email")])


@each(
    ("entity", "candidates", "place"),
    [
        ("table", [], "/entity"),
        ("run", Tag("pii"), "/tags"),
        ("run", "pii", "/tags"),
        ("run", 7, "/tags"),
        ("run", {"key": "pii", "value": "true"}, "/tags"),
        ("run", [Tag("pii"), {"key": "pii"}], "/tags/1"),
    ],
)
def test_invalid_list_of_tags_is_rejected(entity: Any, candidates: Any, place: str) -> None:
    with pytest.raises(EventError, match=f"^{place}: expected"):
        unique_tags(entity, candidates)


@given(st.lists(tags(on_dataset=True)))
def test_each_identity_occurs_once_with_its_last_tag(candidates: list[Tag]) -> None:
    last = {(tag.key, tag.source, tag.field): tag for tag in candidates}
    unique = unique_tags("dataset", candidates)
    assert {(tag.key, tag.source, tag.field): tag for tag in unique} == last
    assert len(unique) == len(last)
