"""Equal values have equal texts, and different values never share a remembered one."""

from __future__ import annotations

import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.state import canonical_json as module
from openlineage_facets.state.canonical_json import canonical_json

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none()
texts = st.text(st.characters(exclude_categories=()))
values = st.recursive(
    numbers | texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=20
)


def sorted_json(value: Any) -> str:
    return json.dumps(with_integers(value), sort_keys=True, separators=(",", ":"))


def with_integers(value: Any) -> Any:
    """Return a value with integers instead of whole floats that are exact."""
    if isinstance(value, dict):
        return {key: with_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_integers(item) for item in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_whole else value


@given(values)
def test_the_text_is_that_of_sorted_json_also_when_it_is_remembered(value: Any) -> None:
    assert canonical_json(value) == canonical_json(value) == sorted_json(value)


@pytest.mark.parametrize(
    ("one", "other"), [(1, 1.5), (1, True), (0, False), ("5.0", 5.0), ([], {}), ("1", 1), ([None], [])]
)
def test_similar_values_have_their_own_texts(one: Any, other: Any) -> None:
    assert [canonical_json({"a": one}), canonical_json({"a": other})] == [
        sorted_json({"a": one}),
        sorted_json({"a": other}),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5.0, "5"),
        (-0.0, "0"),
        ([1.0, 2.50, "1.0,"], '[1,2.5,"1.0,"]'),
        ({"a": {"b": (3.0, True)}}, '{"a":{"b":[3,true]}}'),
        (2.0**53 - 1, "9007199254740991"),
        (2.0**53, "9007199254740992.0"),
        (1e300, "1e+300"),
    ],
)
def test_whole_numbers_have_no_fraction_if_they_are_exact(value: Any, text: str) -> None:
    assert canonical_json(value) == text


def test_the_order_of_keys_does_not_matter() -> None:
    assert canonical_json({"a": 1, "b": 2}) is canonical_json({"b": 2, "a": 1})


class Color(str, Enum):
    RED = "red"


def test_other_classes_are_encoded() -> None:
    assert canonical_json({"color": Color.RED}) == '{"color":"red"}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"bytes", {1, 2}, object()])
def test_what_is_not_json_is_rejected_each_time(value: Any) -> None:
    for _ in range(2):
        with pytest.raises((TypeError, ValueError)):
            canonical_json({"a": value})


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = module._Texts()
    monkeypatch.setattr(module, "_BYTES", 1000)
    for number in range(1000):
        texts.of({"number": number})
        assert len(texts._known) <= 1000 / len('{"number": 1}')
    assert texts.of({"number": 1}) == '{"number":1}'
