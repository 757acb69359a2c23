"""A stream of text is split into JSON values, independent of how it is chunked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.event_files.json_values import Piece, _Scanner, json_values
from tests.cases import each

pytestmark = pytest.mark.check

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)
INDENTS = st.sampled_from([None, 0, 1, 2])


def pieces(text: bytes, size: int, max_bytes: int = 1 << 20) -> list[Piece]:
    return list(json_values((text[at : at + size] for at in range(0, len(text), size)), max_bytes))


def assert_values(found: list[Piece], expected: list[Any], text: bytes) -> None:
    assert [piece.kind for piece in found] == ["value"] * len(expected)
    assert [json.loads(piece.text) for piece in found] == expected
    for piece in found:
        first = piece.text.split(b"\n")[0].strip()
        assert first in text.split(b"\n")[piece.line - 1]


@given(
    st.lists(OBJECTS),
    INDENTS,
    st.sampled_from([" ", "\n", "\r\n", "\n\n", ""]),
    st.integers(1, 40),
    st.booleans(),
)
def test_concatenated_objects(
    values: list[Any], indent: int | None, between: str, size: int, ascii_only: bool
) -> None:
    text = between.join(
        json.dumps(value, indent=indent, ensure_ascii=ascii_only) for value in values
    ).encode()
    assert_values(pieces(text, size), values, text)


@given(st.lists(VALUES), INDENTS, st.integers(1, 40))
def test_items_of_an_array(values: list[Any], indent: int | None, size: int) -> None:
    text = json.dumps(values, indent=indent).encode()
    assert_values(pieces(text, size), values, text)


@given(st.binary() | st.text(alphabet='{}[]",\\\n a1').map(str.encode), st.integers(1, 9), st.integers(1, 50))
def test_arbitrary_bytes_are_consumed_in_order(text: bytes, size: int, max_bytes: int) -> None:
    found = pieces(text, size, max_bytes)
    at = [piece.line for piece in found if piece.kind != "open"]
    assert at == sorted(at)
    assert all(1 <= line <= text.count(b"\n") + 1 for line in at)


@given(st.lists(OBJECTS, min_size=3, max_size=5), st.integers(1, 40))
def test_an_unclosed_value_ends_at_the_next_line_that_starts_like_it(values: list[Any], size: int) -> None:
    parts = [json.dumps({"value": value}, indent=2) for value in values]
    parts[1] = parts[1][:-2]
    found = pieces(("[\n" + ",\n".join(parts) + "\n]").encode(), size)
    others = [json.loads(piece.text)["value"] for number, piece in enumerate(found) if number != 1]
    assert others == values[:1] + values[2:]
    assert {piece.kind for piece in found} == {"value"}


@each(
    ("before", "kinds"),
    [
        ('"', ["stray"]),
        ("x", ["stray"]),
        ('{"a": 1}\n"', ["value", "stray"]),
        ('["', ["long"]),
        ("[x", ["long"]),
        ('[["', ["long"]),
        ('[{"a": "', ["long"]),
        ('[{"a": 1}, "', ["value", "long"]),
        ('{"a": "', ["long"]),
        ('{"a": "b" x', ["long"]),
    ],
)
@each("after", ["", '"', '"}', '"]', '"}]', '\n{"b": 1}'])
def test_text_without_end_is_one_piece_of_bounded_length(before: str, after: str, kinds: list[str]) -> None:
    text = (before + "y" * 50_000 + after).encode()
    found = pieces(text, 50, max_bytes=1_000)
    assert [piece.kind for piece in found[: len(kinds)]] == kinds
    assert len(found[len(kinds) - 1].text) < 3_000
    rest = [piece.kind for piece in found[len(kinds) :]]
    assert rest == ([] if not after.startswith("\n") else ["value", "open"] if "[" in before else ["value"])


@each("size", [7, 50_000])
def test_a_complete_value_is_as_long_as_the_limit_or_too_long(size: int) -> None:
    longest, too_long = ('{"a":"' + "y" * count + '"}' for count in (992, 993))
    texts = [f'["{"y" * 998}","{"y" * 999}",1]']
    for before, between, after in (("", "\n", ""), ("[", ",", "]")):
        texts.append(before + between.join([longest, too_long, longest]) + after)
    for text in texts:
        kinds = [piece.kind for piece in pieces(text.encode(), size, max_bytes=1_000)]
        assert kinds == ["value", "long", "value"]


@each("text", ['["abc', '["abc\n{}]', '[1, "abc\n, {}]'])
def test_a_string_without_end_is_one_item(text: str) -> None:
    assert [piece.text for piece in pieces(text.encode(), 3) if b"abc" in piece.text] == [b'"abc']


def test_a_bracket_right_after_an_unpaired_quotation_mark_closes_the_value() -> None:
    first, second = b'{"a": 1, "}', b'{"b": 2}'
    assert [piece.text for piece in pieces(first + b"\n " + second, 50)] == [first, second]


@each("damaged", ['{"a": 1]', '{"a": [1'])
def test_values_after_a_damaged_one_are_searched_once(damaged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = 0

    class Buffer(bytes):
        def find(self, part: bytes, start: int = 0, stop: int | None = None) -> int:  # type: ignore[override]
            nonlocal searched
            place = super().find(part, start, stop)
            searched += (place if place >= 0 else len(self) if stop is None else stop) - start
            return place

    fill = _Scanner._fill

    def fill_buffer(scanner: _Scanner) -> bool:
        grown = fill(scanner)
        scanner._text = Buffer(scanner._text)
        return grown

    monkeypatch.setattr(_Scanner, "_fill", fill_buffer)
    text = f"[{damaged},\n" + ",".join(['{"a": [1, 2]}'] * 2_000) + "]"
    assert len(pieces(text.encode(), 10_000)) > 1_000
    assert searched < 20 * len(text)


def test_memory_is_constant() -> None:
    import tracemalloc

    event = json.dumps({"key": ["value"] * 500}).encode()

    def text(count: int):
        yield b"["
        for number in range(count):
            yield event + (b"," if number < count - 1 else b"]")

    peaks = []
    for count in (50, 500):
        tracemalloc.start()
        assert sum(1 for _ in json_values(text(count))) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]
