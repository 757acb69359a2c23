"""Lines of text are wrapped for the terminal, at words and folders."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from openlineage_facets.cli.formats.value_text import wrapped
from tests.cases import each


def lines(text: str, width: int = 20, indent: int = 4) -> list[str]:
    return [line.plain for line in wrapped(Text(text), width, indent)]


def test_only_long_lines_are_broken_at_spaces() -> None:
    assert [lines("  query=SELECT 1"), lines("x" * 20), lines("")] == [["  query=SELECT 1"], ["x" * 20], [""]]
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


def test_styles_are_kept() -> None:
    first, second = wrapped(Text.assemble(("name", "green"), " a value of 2 lines"), 16, 2)
    assert [(span.start, span.end, span.style) for span in first.spans] == [(0, 4, "green")]
    assert (first.plain, second.plain) == ("name a value of", "  2 lines")


@each("width", [1, 5, 17, 40])
def test_nothing_is_lost_and_wide_characters_count_twice(width: int) -> None:
    text = (
        '  symlinks identifiers=[{"namespace": "file:/tmp/データ", "name": "a b  c"}] '
        + "x" * 60
        + "データ" * 20
    )
    parts = lines(text, width)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(cell_len(line) <= max(width, 20) for line in parts)
