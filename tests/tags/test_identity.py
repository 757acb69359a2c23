"""Which tags can stand together in one facet."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError
from openlineage_facets.tags import Tag, unique_tags

from .strategies import tags


def test_the_later_of_two_tags_with_one_key_and_source_holds() -> None:
    assert unique_tags("run", [Tag("a", 1), Tag("b"), Tag("a", 2)]) == [Tag("a", 2), Tag("b")]


def test_the_loss_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "openlineage_facets.tags"):
        unique_tags("job", [Tag("team", "early", "DBT"), Tag("team", "late", "DBT")])
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "'early'" in record.getMessage()
    assert "'late'" in record.getMessage()


def test_the_same_tag_twice_is_no_loss(caplog: pytest.LogCaptureFixture) -> None:
    assert unique_tags("job", [Tag("pii"), Tag("pii")]) == [Tag("pii")]
    assert not caplog.records


def test_another_source_makes_another_tag() -> None:
    both = [Tag("team", "a", "DBT"), Tag("team", "b", "USER"), Tag("team", "c")]
    assert unique_tags("run", both) == both


def test_another_case_makes_another_tag() -> None:
    assert unique_tags("run", [Tag("team"), Tag("Team")]) == [Tag("team"), Tag("Team")]


def test_another_field_makes_another_tag_of_a_dataset() -> None:
    several = [Tag("pii", field="email"), Tag("pii", field="phone"), Tag("pii")]
    assert unique_tags("dataset", several) == several
    assert unique_tags("dataset", [*several, Tag("pii", False, field="phone")]) == [
        Tag("pii", field="email"),
        Tag("pii", False, field="phone"),
        Tag("pii"),
    ]


@pytest.mark.parametrize("entity", ["run", "job"])
def test_a_field_is_refused_where_there_are_none(entity: Any) -> None:
    with pytest.raises(EventError, match=f"^/tags/1/field: expected no field on a tag of a {entity}"):
        unique_tags(entity, [Tag("pii"), Tag("pii", field="email")])


@pytest.mark.parametrize(
    ("entity", "given_tags", "place"),
    [
        ("table", [], "/entity"),
        ("run", Tag("pii"), "/tags"),
        ("run", "pii", "/tags"),
        ("run", 7, "/tags"),
        ("run", ["pii"], "/tags/0"),
        ("run", [Tag("pii"), {"key": "pii"}], "/tags/1"),
    ],
)
def test_what_is_no_list_of_tags_is_refused(entity: Any, given_tags: Any, place: str) -> None:
    with pytest.raises(EventError, match=f"^{place}: expected"):
        unique_tags(entity, given_tags)


@given(st.lists(tags(on_dataset=True)))
def test_each_identity_is_there_once_with_its_last_tag(given_tags: list[Tag]) -> None:
    last = {(tag.key, tag.source, tag.field): tag for tag in given_tags}
    unique = unique_tags("dataset", given_tags)
    assert {(tag.key, tag.source, tag.field): tag for tag in unique} == last
    assert len(unique) == len(last)
