"""Lines of text are wrapped for the terminal, at words and folders."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.text import Text

from openlineage_facets.cli.formats.value_text import wrapped


def lines(text: str, width: int = 20, indent: int = 4) -> list[str]:
    return [line.plain for line in wrapped(Text(text), width, indent)]


def test_short_lines_are_not_changed() -> None:
    assert lines("  query=SELECT 1") == ["  query=SELECT 1"]
    assert lines("x" * 20) == ["x" * 20]
    assert lines("") == [""]


def test_lines_are_broken_at_spaces() -> None:
    assert lines("the quick brown fox jumps over the dog") == [
        "the quick brown fox",
        "    jumps over the",
        "    dog",
    ]


def test_long_words_are_broken_after_separators() -> None:
    assert lines("input /warehouse/orders/daily/part-0", width=26) == [
        "input /warehouse/orders/",
        "    daily/part-0",
    ]
    assert lines("  uri=file:///data,format=parquet,x=1") == [
        "  uri=file:///data,",
        "    format=parquet,",
        "    x=1",
    ]


def test_words_without_separators_are_broken_where_the_line_ends() -> None:
    assert lines("a" * 50) == ["a" * 20, "    " + "a" * 16, "    " + "a" * 14]


def test_wide_characters_count_twice() -> None:
    assert all(cell_len(line) <= 20 for line in lines("データ" * 20))


def test_styles_are_kept() -> None:
    first, second = wrapped(Text.assemble(("name", "green"), " a value of 2 lines"), 16, 2)
    assert [(span.start, span.end, span.style) for span in first.spans] == [(0, 4, "green")]
    assert (first.plain, second.plain) == ("name a value of", "  2 lines")


@pytest.mark.parametrize("width", [1, 5, 17, 40])
def test_nothing_is_lost(width: int) -> None:
    text = '  symlinks identifiers=[{"namespace": "file:/tmp/データ", "name": "a b  c"}] ' + "x" * 60
    parts = lines(text, width)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(cell_len(line) <= max(width, 20) for line in parts)
