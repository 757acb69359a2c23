"""Files cut into chunks of events, each small enough to be held and large enough to be worth sending."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, TypeAlias

from openlineage_facets.base.credentials import LOOKED_AT
from openlineage_facets.base.errors import Finding
from openlineage_facets.cli.decompression import DamagedFile, decompressed, is_compressed
from openlineage_facets.cli.file_codes import file_finding
from openlineage_facets.cli.json_values import LONGEST, json_values
from openlineage_facets.cli.layout import BYTE_ORDER_MARK, Layout, layout_of
from openlineage_facets.cli.raw_text import tellable
from openlineage_facets.cli.sources import Source

__all__ = ["Chunk", "Lines", "Problem", "Range", "Values", "cut", "too_long_line", "unreadable"]

_RANGE = 4 << 20
_BLOCK = 1 << 20
_VALUES = 100
_HEAD = 1 << 18
"""Bytes of a file that tell what it holds."""


@dataclass(frozen=True)
class Range:
    """The lines of a file that begin in a range of its bytes; whoever checks them reads them.

    Args:
        path: The file.
        start: Where the range begins.
        stop: Where the next one begins.
    """

    path: Path
    start: int
    stop: int


@dataclass(frozen=True)
class Lines:
    """Whole lines of text."""

    text: bytes = field(repr=False)


@dataclass(frozen=True)
class Values:
    """JSON values, each with the line it begins on."""

    values: tuple[tuple[int, bytes], ...] = field(repr=False)


@dataclass(frozen=True)
class Problem:
    """A finding on the file itself.

    Args:
        finding: What is wrong.
        line: The line, relative to the line before it where the file is read by lines; None for none.
        lines: Lines of the file that it stands for.
        text: The beginning of the offending text, where it is too long to read.
    """

    finding: Finding
    line: int | None = None
    lines: int = 0
    text: bytes = b""


Chunk: TypeAlias = "Range | Lines | Values | Problem"
"""A piece of a file's work."""


def cut(source: Source, stdin: IO[bytes]) -> Iterator[tuple[Chunk, int]]:
    """Yield a file's chunks in order, each with the bytes of the file that have been read by then.

    Nothing that is wrong with the file raises: it becomes a chunk of its own, behind everything that
    could be read.

    Args:
        source: The file.
        stdin: What "-" stands for.
    """
    progress = 0
    try:
        if source.path is None:
            yield from _cut(source, stdin)
            return
        with open(source.path, "rb") as file:
            for chunk, progress in _cut(source, file):
                yield chunk, progress
    except DamagedFile as damage:
        hint = "copy or write the file again"
        yield Problem(file_finding("OL802", "a whole file", str(damage), hint)), progress
    except OSError as error:
        yield unreadable(error, source.path), progress


def _cut(source: Source, file: IO[bytes]) -> Iterator[tuple[Chunk, int]]:
    first = file.read(_HEAD)
    compressed = is_compressed(first)
    texts = decompressed(file, first)
    head = b""
    damage = None
    try:
        for text in texts:
            head += text
            if len(head) >= _HEAD:
                break
    except DamagedFile as error:  # What came before it is checked first.
        damage = error
    rest = chain((head,), texts)
    layout = layout_of(source, head, whole=damage is None and len(head) < _HEAD)
    if head.startswith(BYTE_ORDER_MARK):
        yield Problem(file_finding("OL804", "text", "a byte order mark before it", "save it as UTF-8"), 1), 0
    if layout in _NO_EVENTS:
        yield Problem(_NO_EVENTS[layout]), source.size or 0
    elif layout is Layout.LINES and not compressed and source.path is not None and source.size is not None:
        for start in range(0, source.size, _RANGE):
            stop = min(start + _RANGE, source.size)
            yield Range(source.path, start, stop), stop
    else:
        chunks = _lines(rest) if layout is Layout.LINES else _values(_without_mark(rest))
        for chunk in chunks:
            yield chunk, _position(file)
    if damage is not None:
        raise damage


def unreadable(error: OSError, path: Path | None) -> Problem:
    """Return the problem of a file that cannot be read, or not to its end."""
    reason = (error.strerror or type(error).__name__).lower()
    hint = "check its permissions" if isinstance(error, PermissionError) else ""
    if isinstance(error, FileNotFoundError) and path is not None and path.is_symlink():
        reason, hint = "a link to what is not there", f"mend the link, which names {os.readlink(path)}"
    return Problem(file_finding("OL801", "a file that can be read", reason, hint))


_NO_EVENTS = {
    Layout.BINARY: file_finding("OL803", "UTF-8 text", "binary data", "leave the file out, or convert it"),
    Layout.UTF16: file_finding("OL803", "UTF-8 text", "UTF-16 text", "convert it to UTF-8"),
    Layout.EMPTY: file_finding("OL802", "an event", "an empty file", "write it again, or leave it out"),
}
"""What is said of a file that holds no events."""


def _position(file: IO[bytes]) -> int:
    try:
        return file.tell()
    except OSError:  # A pipe has no positions.
        return 0


def _without_mark(texts: Iterable[bytes]) -> Iterator[bytes]:
    first = True
    for text in texts:
        yield text.removeprefix(BYTE_ORDER_MARK) if first else text
        first = False


def _lines(texts: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield blocks of whole lines; a line that is too long is passed over."""
    kept: list[bytes] = []
    length = 0
    too_long = False
    damage = None
    try:
        for text in texts:
            if too_long:
                end = text.find(b"\n")
                if end < 0:
                    continue
                text, too_long = text[end + 1 :], False
            kept.append(text)
            length += len(text)
            if length < _BLOCK:
                continue
            block = b"".join(kept)
            end = block.rfind(b"\n") + 1
            if end:
                yield Lines(block[:end])
            kept, length = [block[end:]], len(block) - end
            if length > LONGEST:
                yield too_long_line(block[end : end + LOOKED_AT])
                kept, length, too_long = [], 0, True
    except DamagedFile as error:
        damage = error
    if any(kept):
        yield Lines(b"".join(kept))
    if damage is not None:
        raise damage


def too_long_line(beginning: bytes) -> Problem:
    """Return the problem of a line that is passed over."""
    return Problem(_TOO_LONG, 1, 1, beginning)


_TOO_LONG = file_finding("OL806", "an event of at most 32 MiB", "more", "check where the text was joined")


def _values(texts: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield the values of a text in small groups, and what stands between them."""
    damaged: list[DamagedFile] = []
    gathered: list[tuple[int, bytes]] = []
    length = 0
    for piece in json_values(_until_damage(texts, damaged)):
        if piece.kind == "value":
            gathered.append((piece.line, piece.text))
            length += len(piece.text)
            if len(gathered) < _VALUES and length < _BLOCK:
                continue
        if gathered:
            yield Values(tuple(gathered))
            gathered, length = [], 0
        if piece.kind == "stray":
            found = tellable(piece.text[:LOOKED_AT])[:200]
            hint = "write one event a line, or one array of them"
            yield Problem(file_finding("OL805", "nothing but events", found, hint), piece.line)
        elif piece.kind == "long":
            yield Problem(_TOO_LONG, piece.line, 0, piece.text[:LOOKED_AT])
        elif piece.kind == "open" and not damaged:
            hint = "check whether the file was written to its end"
            finding = file_finding("OL802", "a ']' at the end of the array", "the end of the file", hint)
            yield Problem(finding, piece.line)
    if gathered:
        yield Values(tuple(gathered))
    if damaged:
        raise damaged[0]


def _until_damage(texts: Iterable[bytes], damaged: list[DamagedFile]) -> Iterator[bytes]:
    try:
        yield from texts
    except DamagedFile as error:
        damaged.append(error)
