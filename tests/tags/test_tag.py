"""Tag and Tag.parse."""

from __future__ import annotations

import enum
import pickle
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from typing import Any

import pytest

from openlineage_facets import EventError
from openlineage_facets.tags import Tag
from tests.cases import each


class Tier(str, enum.Enum):
    GOLD = "gold"


class Level(enum.IntEnum):
    HIGH = 3


@each(
    ("value", "kept"),
    [(value, value) for value in ("dataos", "", "20", 20, 2.5, True, False, 10**30)]
    + [(Tier.GOLD, "gold"), (Level.HIGH, 3)],
)
def test_a_value_keeps_its_type_and_a_member_of_an_enumeration_becomes_its_value(
    value: Any, kept: object
) -> None:
    own = Tag("key", value).value
    assert (type(own), own) == (type(kept), kept)


def test_a_tag_is_a_value() -> None:
    tag = Tag("pii", True, "DBT", "email")
    assert pickle.loads(pickle.dumps(tag)) == tag
    assert not hasattr(tag, "__dict__")
    with pytest.raises(FrozenInstanceError):
        tag.key = "other"  # type: ignore[misc]
    assert replace(Tag("pii"), field="email") == Tag("pii", field="email")
    with pytest.raises(EventError, match="/key"):
        replace(tag, key="")


def test_true_and_one_are_different_values() -> None:
    assert Tag("key", True) != Tag("key", 1)
    assert Tag("key", 1) == Tag("key", 1.0)
    assert len({Tag("key", True), Tag("key", 1), Tag("key", 1.0)}) == 2


@each(
    ("arguments", "pointer", "remedy"),
    [
        ({"key": ""}, "/key", "pass a key"),
        ({"key": " \t"}, "/key", "pass a key"),
        ({"key": None}, "/key", "pass the key as a string"),
        ({"key": 7}, "/key", "pass the key as a string"),
        ({"value": {"team": "dataos"}}, "/value", "Tag.flatten"),
        ({"value": ["a", "b"]}, "/value", "Tag.flatten"),
        ({"value": ()}, "/value", "Tag.flatten"),
        ({"value": None}, "/value", "omit the value"),
        ({"value": float("nan")}, "/value", "pass it as a string"),
        ({"value": float("-inf")}, "/value", "pass it as a string"),
        ({"value": 10**5000}, "/value", "pass it as a string"),
        ({"value": Decimal("1.5")}, "/value", "convert it"),
        ({"value": b"bytes"}, "/value", "convert it"),
        ({"value": "\udcff"}, "/value", "decode it"),
        ({"key": "\udcff"}, "/key", "decode it"),
        ({"source": 7}, "/source", "pass the source as a string"),
        ({"field": ["email"]}, "/field", "pass the field as a string"),
    ],
)
def test_invalid_argument_is_rejected_with_a_fix(
    arguments: dict[str, Any], pointer: str, remedy: str
) -> None:
    with pytest.raises(EventError) as caught:
        Tag(**{"key": "key", **arguments})
    (finding,) = caught.value.findings
    assert finding.pointer == pointer
    assert remedy in finding.hint


def test_all_errors_are_reported_together() -> None:
    with pytest.raises(EventError) as caught:
        Tag("", None, 7, 7)  # type: ignore[arg-type]
    assert [finding.pointer for finding in caught.value.findings] == ["/key", "/value", "/source", "/field"]


@each(
    ("token", "tag"),
    [
        ("pii", Tag("pii", True)),
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
def test_parse_token(token: str, tag: Tag) -> None:
    assert Tag.parse(token) == tag
    assert Tag.parse(token, source="DBT", field="email") == replace(tag, source="DBT", field="email")


@each("token", ["", "  ", "=", " =value", None, 7, ["pii"]])
def test_parse_rejects_token_without_key(token: Any) -> None:
    with pytest.raises(EventError, match=r"^/key: expected a token"):
        Tag.parse(token)
