"""What a tag may be, and how a token spells one."""

from __future__ import annotations

import enum
import pickle
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from typing import Any

import pytest

from openlineage_facets import EventError
from openlineage_facets.tags import Tag


def test_a_mere_word_has_the_value_true() -> None:
    assert Tag("pii").value is True


@pytest.mark.parametrize("value", ["dataos", "", "20", 20, 2.5, True, False, 10**30])
def test_a_value_keeps_its_type(value: Any) -> None:
    kept = Tag("key", value).value
    assert (type(kept), kept) == (type(value), value)


def test_a_tag_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Tag("pii").key = "other"  # type: ignore[misc]


def test_a_tag_has_no_room_for_misspelt_attributes() -> None:
    assert not hasattr(Tag("pii"), "__dict__")


def test_a_tag_survives_pickling() -> None:
    tag = Tag("pii", True, "DBT", "email")
    assert pickle.loads(pickle.dumps(tag)) == tag


def test_a_changed_copy_is_checked_like_a_new_tag() -> None:
    assert replace(Tag("pii"), field="email") == Tag("pii", field="email")
    with pytest.raises(EventError, match="/key"):
        replace(Tag("pii"), key="")


def test_true_and_one_are_two_values_on_the_wire_and_here() -> None:
    assert Tag("key", True) != Tag("key", 1)
    assert Tag("key", 1) == Tag("key", 1.0)
    assert len({Tag("key", True), Tag("key", 1), Tag("key", 1.0)}) == 2


def test_members_of_enumerations_count_as_their_values() -> None:
    class Tier(str, enum.Enum):
        GOLD = "gold"

    class Level(enum.IntEnum):
        HIGH = 3

    assert type(Tag("tier", Tier.GOLD).value) is str
    assert Tag("tier", Tier.GOLD) == Tag("tier", "gold")
    assert type(Tag("level", Level.HIGH).value) is int


@pytest.mark.parametrize(
    ("arguments", "pointer", "remedy"),
    [
        ({"key": ""}, "/key", "name the tag"),
        ({"key": " \t"}, "/key", "name the tag"),
        ({"key": None}, "/key", "write the key as text"),
        ({"key": 7}, "/key", "write the key as text"),
        ({"value": {"team": "dataos"}}, "/value", "Tag.flatten"),
        ({"value": ["a", "b"]}, "/value", "Tag.flatten"),
        ({"value": ()}, "/value", "Tag.flatten"),
        ({"value": None}, "/value", "leave the value out"),
        ({"value": float("nan")}, "/value", "write it as text"),
        ({"value": float("-inf")}, "/value", "write it as text"),
        ({"value": 10**5000}, "/value", "write it as text"),
        ({"value": Decimal("1.5")}, "/value", "convert it"),
        ({"value": b"bytes"}, "/value", "convert it"),
        ({"value": "\udcff"}, "/value", "decode it"),
        ({"key": "\udcff"}, "/key", "decode it"),
        ({"source": 7}, "/source", "write the source as text"),
        ({"field": ["email"]}, "/field", "write the field as text"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name_and_a_remedy(
    arguments: dict[str, Any], pointer: str, remedy: str
) -> None:
    with pytest.raises(EventError) as caught:
        Tag(**{"key": "key", **arguments})
    (finding,) = caught.value.findings
    assert finding.pointer == pointer
    assert remedy in finding.hint


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(EventError) as caught:
        Tag("", None, 7, 7)  # type: ignore[arg-type]
    assert [finding.pointer for finding in caught.value.findings] == ["/key", "/value", "/source", "/field"]


@pytest.mark.parametrize(
    ("token", "tag"),
    [
        ("pii", Tag("pii")),
        ("team=dataos", Tag("team", "dataos")),
        ("  team =  data os ", Tag("team", "data os")),
        ("query=a=b", Tag("query", "a=b")),
        ("note=", Tag("note", "")),
        ("retries=3", Tag("retries", "3")),
        ("pii=true", Tag("pii", "true")),
        ("team:dataos", Tag("team:dataos")),
        ("Ünïcode=✓", Tag("Ünïcode", "✓")),
    ],
)
def test_a_token_is_a_word_or_a_key_and_its_text(token: str, tag: Tag) -> None:
    assert Tag.parse(token) == tag


def test_a_parsed_tag_takes_source_and_field() -> None:
    assert Tag.parse("pii", source="DBT", field="email") == Tag("pii", True, "DBT", "email")


@pytest.mark.parametrize("token", ["", "  ", "=", " =value", None, 7, ["pii"]])
def test_a_token_without_a_key_is_refused(token: Any) -> None:
    with pytest.raises(EventError, match=r"^/key: expected a token"):
        Tag.parse(token)
