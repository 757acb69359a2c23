"""Values are counted without parsing, and punctuation in strings is ignored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError
from openlineage_facets.base.json.json_input import has_too_many_values
from openlineage_facets.facets import SQLJobFacet
from tests.cases import each

TEXT = st.text(alphabet='{}[],"\\a')
VALUES = st.recursive(
    st.none() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def values_in(value: Any) -> int:
    """Return how many values a container has at any depth; empty containers count twice."""
    if not isinstance(value, (dict, list)):
        return 0
    inner = list(value.values() if isinstance(value, dict) else value)
    return sum(1 + values_in(one) for one in inner) or 1


@given(VALUES)
def test_the_limit_is_exact(value: Any) -> None:
    text, count = json.dumps(value, separators=(" , ", " : ")).encode(), values_in(value)
    assert not has_too_many_values(text, count)
    if count > 0 and len(text) > 2 * (count - 1):
        assert has_too_many_values(text, count - 1)


@each("text", ["\ufeff{}", b"\xef\xbb\xbf{}", bytearray(b"\xff\xfe{\x00}\x00")], ids=repr)
def test_a_byte_order_mark_has_a_hint(text: str | bytes | bytearray) -> None:
    with pytest.raises(EventError, match=r"byte order mark\); save it as UTF-8 without .* utf-8-sig"):
        SQLJobFacet.from_json(text)


@each("text", [b'{"', b'{"a\\', b'{"\\"[[[', b"", b'"'])
def test_an_unterminated_string_has_no_further_values(text: bytes) -> None:
    assert not has_too_many_values(text, 1)
