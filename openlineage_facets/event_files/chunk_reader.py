"""Detect the layout of files and split them into chunks of events, in constant memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain
from typing import IO

from openlineage_facets.base.redaction.redact import MAX_REDACTED_LENGTH, redact_unparsed
from openlineage_facets.event_files.chunks import (
    BYTE_ORDER_MARK,
    MAX_BYTES,
    TOO_LONG,
    UTF16_STARTS,
    UTF16_TEXT,
    Chunk,
    FileProblem,
    Lines,
    Range,
    Values,
    file_finding,
    line_too_long,
    unreadable_file,
)
from openlineage_facets.event_files.file_opening import (
    FIRST_BYTES,
    DamagedFile,
    UnsupportedFile,
    decompressed,
    is_compressed,
    open_source,
)
from openlineage_facets.event_files.json_values import json_values
from openlineage_facets.event_files.sources import Source

_SNIFFED_BYTES = 8192
_BRACKET_LINE = re.compile(rb"\n[ \t]*[\[{][ \t\r]*\n")
"""A line with nothing but a bracket. Only indented JSON starts with one, never newline-delimited JSON."""


class Layout(Enum):
    """Layout of a file."""

    LINES = "one event per line"
    VALUES = "JSON values: one, several, or an array of them"
    UTF16 = "UTF-16 text"
    BINARY = "binary data"
    EMPTY = "no content, although an event is expected"


def layout_of(source: Source, head: bytes, *, is_complete: bool) -> Layout:
    """Return the layout of a file.

    Args:
        source: The file.
        head: Its beginning, decompressed.
        is_complete: Whether `head` is the complete file.
    """
    if head.startswith(UTF16_STARTS):
        return Layout.UTF16
    head = head.removeprefix(BYTE_ORDER_MARK)
    text = head.lstrip(b" \t\r\n")
    if b"\0" in head[:_SNIFFED_BYTES] and not text.startswith((b"{", b"[", b'"')):
        return Layout.BINARY
    if _BRACKET_LINE.search(b"\n" + text):
        return Layout.VALUES  # Regardless of the name, and also after some events on single lines.
    if source.is_named_as_lines:
        is_array = text.startswith(b"[") and (_may_be_json(text, is_complete) or _begins_with_events(text))
        return Layout.VALUES if is_array else Layout.LINES
    if not text:
        return Layout.EMPTY if is_complete and source.path is not None else Layout.LINES
    if text.startswith(b"{"):
        line, newline, after = text.partition(b"\n")
        if newline and after.strip() and _may_be_json(line, True):
            return Layout.LINES
    return Layout.VALUES


def _may_be_json(text: bytes, is_complete: bool) -> bool:
    """Return whether `text` is one JSON value, or may be the beginning of one."""
    if not is_complete:
        return b"\n" not in text.strip()
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _begins_with_events(text: bytes) -> bool:
    """Return whether the first line is an array of objects, as programs write that send events in batches."""
    line, newline, _ = text.partition(b"\n")
    try:
        value = json.loads(line) if newline else []
    except (ValueError, RecursionError):
        return False
    return bool(value) and all(isinstance(item, dict) for item in value)


_RANGE_BYTES = 4 << 20
_BLOCK_BYTES = 1 << 20
_VALUES_PER_CHUNK = 100
_HEAD_BYTES = 1 << 18
"""Bytes at the beginning of a file from which its layout is detected."""


def chunks_of(source: Source, stdin: IO[bytes]) -> Iterator[tuple[Chunk, int]]:
    """Yield the chunks of a file in order, each with the number of bytes read so far.

    Problems of the file do not raise. They are yielded as a `FileProblem`, after the part that could be read.

    Args:
        source: The file.
        stdin: Stream to read if the source is standard input.

    Raises:
        ModuleNotFoundError: The package to decompress the file is not installed.
    """
    progress = 0
    try:
        if source.path is None:
            yield from _split(source, stdin)
            return
        with open_source(source.path) as file:
            for chunk, progress in _split(source, file):
                yield chunk, progress
    except DamagedFile as damage:
        hint = "copy or write the file again"
        yield FileProblem(file_finding("OL802", "a complete file", str(damage), hint)), progress
    except UnsupportedFile as error:
        yield FileProblem(file_finding("OL801", "a readable file", error.found, error.hint)), progress
    except OSError as error:
        yield unreadable_file(error, source.path), progress


def _split(source: Source, file: IO[bytes]) -> Iterator[tuple[Chunk, int]]:
    first = file.read(_HEAD_BYTES)
    while len(first) < FIRST_BYTES and (more := file.read(_HEAD_BYTES)):  # An unbuffered stream.
        first += more
    compressed = is_compressed(first)
    damage: list[DamagedFile] = []
    texts = _until_damage(decompressed(file, first), damage)
    head = b""
    for text in texts:
        head += text
        if len(head) >= _HEAD_BYTES:
            break
    layout = layout_of(source, head, is_complete=not damage and len(head) < _HEAD_BYTES)
    rest = chain((head.removeprefix(BYTE_ORDER_MARK),), texts)
    if head.startswith(BYTE_ORDER_MARK):
        mark, hint = "a byte order mark before it", "save the file as UTF-8"
        finding = file_finding("OL804", "text", mark, hint, severity="warning")
        yield FileProblem(finding, 1), 0
    if layout in _NO_EVENTS:
        yield FileProblem(_NO_EVENTS[layout]), source.size or 0
    elif layout is Layout.LINES and not compressed and source.path is not None and source.size:
        for start in range(0, source.size, _RANGE_BYTES):
            stop = min(start + _RANGE_BYTES, source.size)
            yield Range(source.path, start, stop), stop
    else:
        chunks = _line_chunks(rest) if layout is Layout.LINES else _value_chunks(rest, damage)
        for chunk in chunks:
            yield chunk, _position(file)
    if damage:
        raise damage[0]


def _until_damage(texts: Iterable[bytes], damage: list[DamagedFile]) -> Iterator[bytes]:
    """Yield the texts before any damage, and add that to a list."""
    try:
        yield from texts
    except DamagedFile as error:
        damage.append(error)


_NO_EVENTS = {
    Layout.BINARY: file_finding("OL803", "UTF-8 text", "binary data", "exclude the file, or convert it"),
    Layout.UTF16: UTF16_TEXT,
    Layout.EMPTY: file_finding("OL802", "an event", "an empty file", "write it again, or exclude it"),
}
"""Findings about files that contain no events."""


def _position(file: IO[bytes]) -> int:
    try:
        return file.tell()
    except OSError:  # Pipes have no position.
        return 0


def _line_chunks(texts: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield blocks of complete lines. Lines that are too long are skipped and reported."""
    parts: list[bytes] = []
    length = 0
    skipping = False
    for text in texts:
        if skipping:
            end = text.find(b"\n")
            if end < 0:
                continue
            text, skipping = text[end + 1 :], False
        parts.append(text)
        length += len(text)
        if length < _BLOCK_BYTES:
            continue
        block = b"".join(parts)
        end = block.rfind(b"\n") + 1
        if end:
            yield Lines(block[:end])
        parts, length = [block[end:]], len(block) - end
        if length > MAX_BYTES:
            yield line_too_long(block[end : end + MAX_REDACTED_LENGTH])
            parts, length, skipping = [], 0, True
    if any(parts):
        yield Lines(b"".join(parts))


def _value_chunks(texts: Iterable[bytes], damage: Sequence[DamagedFile]) -> Iterator[Chunk]:
    """Yield JSON values in small groups, and a problem for any text between them.

    Args:
        texts: The text.
        damage: Contains, at the end of the text, any damage that ended it.
    """
    values: list[tuple[int, bytes]] = []
    length = 0
    for piece in json_values(texts):
        if piece.kind == "value":
            values.append((piece.line, piece.text))
            length += len(piece.text)
            if len(values) < _VALUES_PER_CHUNK and length < _BLOCK_BYTES:
                continue
        if values:
            yield Values(tuple(values))
            values, length = [], 0
        if piece.kind == "stray":
            found = redact_unparsed(piece.text[:MAX_REDACTED_LENGTH])[:200]
            hint = "write one event per line, or one array of events"
            yield FileProblem(file_finding("OL805", "nothing but events", found, hint), piece.line)
        elif piece.kind == "long":
            yield FileProblem(TOO_LONG, piece.line, 0, piece.text[:MAX_REDACTED_LENGTH])
        elif piece.kind == "open" and not damage:
            hint = "check whether the file was written completely"
            finding = file_finding("OL802", "']' at the end of the array", "the end of the file", hint)
            yield FileProblem(finding, piece.line)
    if values:
        yield Values(tuple(values))
