"""Split text into lines of bounded length. An event must not be longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openlineage_facets.base.errors.findings import Finding

MAX_BYTES = 32 << 20
"""Maximum length of an event in bytes."""

TOO_LONG = Finding(
    "",
    "an event of at most 32 MiB",
    "more",
    "check for a missing line break or quotation mark",
    code="OL806",
)
"""Finding about a longer event, which is not parsed."""


BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def bounded_lines(texts: Iterable[bytes], max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    r"""Yield the lines of a text without `\n` and byte order mark.

    Text after the last `\n` is a line if it is not empty. Of a line longer than `max_bytes`, only the first
    `max_bytes + 1` bytes are yielded.

    Args:
        texts: The text, split at any position.
        max_bytes: The limit.
    """
    kept: list[bytes] = []
    length = 0
    mark = BYTE_ORDER_MARK
    for text in texts:
        *complete, rest = text.split(b"\n")
        for part in complete:
            kept.append(part)
            yield b"".join(kept).removeprefix(mark)[: max_bytes + 1]
            kept, length, mark = [], 0, b""
        if length <= max_bytes + len(mark):
            kept.append(rest)
            length += len(rest)
    if length and (line := b"".join(kept).removeprefix(mark)[: max_bytes + 1]):
        yield line
