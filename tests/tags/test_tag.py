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


def test_default_value_is_true() -> None:
    assert Tag("pii").value is True


@each("value", ["dataos", "", "20", 20, 2.5, True, False, 10**30])
def test_value_keeps_its_type(value: Any) -> None:
    kept = Tag("key", value).value
    assert (type(kept), kept) == (type(value), value)


def test_tag_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Tag("pii").key = "other"  # type: ignore[misc]


def test_unknown_attributes_are_rejected() -> None:
    assert not hasattr(Tag("pii"), "__dict__")


def test_pickle() -> None:
    tag = Tag("pii", True, "DBT", "email")
    assert pickle.loads(pickle.dumps(tag)) == tag


def test_replace_checks_arguments() -> None:
    assert replace(Tag("pii"), field="email") == Tag("pii", field="email")
    with pytest.raises(EventError, match="/key"):
        replace(Tag("pii"), key="")


def test_true_and_one_are_different_values() -> None:
    assert Tag("key", True) != Tag("key", 1)
    assert Tag("key", 1) == Tag("key", 1.0)
    assert len({Tag("key", True), Tag("key", 1), Tag("key", 1.0)}) == 2


def test_enum_members_become_their_values() -> None:
    class Tier(str, enum.Enum):
        GOLD = "gold"

    class Level(enum.IntEnum):
        HIGH = 3

    assert type(Tag("tier", Tier.GOLD).value) is str
    assert Tag("tier", Tier.GOLD) == Tag("tier", "gold")
    assert type(Tag("level", Level.HIGH).value) is int


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
def test_parse_token(token: str, tag: Tag) -> None:
    assert Tag.parse(token) == tag


def test_parse_with_source_and_field() -> None:
    assert Tag.parse("pii", source="DBT", field="email") == Tag("pii", True, "DBT", "email")


@pytest.mark.parametrize("token", ["", "  ", "=", " =value", None, 7, ["pii"]])
def test_parse_rejects_token_without_key(token: Any) -> None:
    with pytest.raises(EventError, match=r"^/key: expected a token"):
        Tag.parse(token)
