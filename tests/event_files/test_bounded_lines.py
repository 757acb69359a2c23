"""Text is split into lines of bounded length."""

from __future__ import annotations

import tracemalloc

from openlineage_facets.event_files.chunks import BYTE_ORDER_MARK, bounded_lines
from tests.cases import each

TEXTS = {
    "nothing": (b"", []),
    "one line": (b"a\n", [b"a"]),
    "no line break at the end": (b"a\nb", [b"a", b"b"]),
    "blank lines": (b"\n\na\n\n", [b"", b"", b"a", b""]),
    "carriage returns are kept": (b"a\r\nb\r", [b"a\r", b"b\r"]),
    "a byte order mark": (BYTE_ORDER_MARK + b"a\n", [b"a"]),
    "only a byte order mark": (BYTE_ORDER_MARK, []),
    "only the first mark is removed": (BYTE_ORDER_MARK + b"\n" + BYTE_ORDER_MARK, [b"", BYTE_ORDER_MARK]),
    "as long as allowed": (b"12345\n12345", [b"12345", b"12345"]),
    "a mark and as long as allowed": (BYTE_ORDER_MARK + b"12345", [b"12345"]),
    "too long": (b"12345678\na\n", [b"123456", b"a"]),
    "too long at the end": (b"a\n12345678", [b"a", b"123456"]),
    "too long after a mark": (BYTE_ORDER_MARK + b"12345678\na", [b"123456", b"a"]),
}


@each("name", TEXTS)
@each("size", [1, 2, 3, 7, 100])
def test_lines_do_not_depend_on_how_the_text_is_split(name: str, size: int) -> None:
    text, lines = TEXTS[name]
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assert list(bounded_lines(pieces, max_bytes=5)) == lines


def test_a_long_line_is_not_kept_in_memory() -> None:
    mebibyte = b" " * (1 << 20)
    tracemalloc.start()
    lines = bounded_lines(iter([*[mebibyte] * 500, b"\nb"]))
    assert [len(line) for line in lines] == [(32 << 20) + 1, 1]
    assert tracemalloc.get_traced_memory()[1] < 200 << 20
    tracemalloc.stop()
