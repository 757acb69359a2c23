"""The identity of tags within a facet."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError
from openlineage_facets.tags import Tag, unique_tags

from .tag_strategies import tags


def test_later_tag_with_same_key_and_source_is_kept() -> None:
    assert unique_tags("run", [Tag("a", 1), Tag("b"), Tag("a", 2)]) == [Tag("a", 2), Tag("b")]


def test_replaced_tag_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "openlineage_facets.tags"):
        unique_tags("job", [Tag("team", "early", "DBT"), Tag("team", "late", "DBT")])
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "'early'" in record.getMessage()
    assert "'late'" in record.getMessage()


def test_duplicate_tag_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert unique_tags("job", [Tag("pii"), Tag("pii")]) == [Tag("pii")]
    assert not caplog.records


def test_tags_with_different_sources_are_kept() -> None:
    both = [Tag("team", "a", "DBT"), Tag("team", "b", "USER"), Tag("team", "c")]
    assert unique_tags("run", both) == both


def test_keys_are_case_sensitive() -> None:
    assert unique_tags("run", [Tag("team"), Tag("Team")]) == [Tag("team"), Tag("Team")]


def test_dataset_tags_with_different_fields_are_kept() -> None:
    several = [Tag("pii", field="email"), Tag("pii", field="phone"), Tag("pii")]
    assert unique_tags("dataset", several) == several
    assert unique_tags("dataset", [*several, Tag("pii", False, field="phone")]) == [
        Tag("pii", field="email"),
        Tag("pii", False, field="phone"),
        Tag("pii"),
    ]


@pytest.mark.parametrize("entity", ["run", "job"])
def test_field_is_rejected_on_runs_and_jobs(entity: Any) -> None:
    with pytest.raises(EventError, match=f"^/tags/1/field: expected a tag of a {entity} without a field"):
        unique_tags(entity, [Tag("pii"), Tag("pii", field="email")])


@pytest.mark.parametrize(
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
