"""Chunks: units of work that a worker process checks, and their lines, which have a bounded length."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal, TypeAlias

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.redaction.redact import MAX_REDACTED_LENGTH


@dataclass(frozen=True)
class Range:
    """Lines of a file that start in a byte range. The worker reads them from the file.

    Args:
        path: The file.
        start: First byte of the range.
        stop: First byte after the range.
    """

    path: Path
    start: int
    stop: int


@dataclass(frozen=True)
class Lines:
    """Complete lines of text."""

    text: bytes = field(repr=False)


@dataclass(frozen=True)
class Values:
    """JSON values, each with the line it starts on."""

    values: tuple[tuple[int, bytes], ...] = field(repr=False)


@dataclass(frozen=True)
class FileProblem:
    """Finding about the file itself.

    Args:
        finding: The finding.
        line: Line of the finding, None for the whole file. Relative to the previous line if the file is read
            line by line.
        lines: Number of lines that are skipped.
        text: Beginning of the offending text if it is too long to read.
    """

    finding: Finding
    line: int | None = None
    lines: int = 0
    text: bytes = b""


Chunk: TypeAlias = "Range | Lines | Values | FileProblem"


def unreadable_file(error: OSError, path: Path | None) -> FileProblem:
    """Return the problem of a file that cannot be opened, or not be read to its end."""
    reason = (error.strerror or type(error).__name__).lower()
    hint = "check its permissions" if isinstance(error, PermissionError) else ""
    if isinstance(error, FileNotFoundError) and path is not None and path.is_symlink():
        reason, hint = "a broken symbolic link", f"fix the link, which points to {os.readlink(path)}"
    return FileProblem(file_finding("OL801", "a readable file", reason, hint))


def line_too_long(beginning: bytes) -> FileProblem:
    """Return the problem of a line that is skipped because of its length."""
    return FileProblem(TOO_LONG, 1, 1, beginning)


def file_finding(
    code: str, expected: str, found: str, hint: str, severity: Literal["error", "warning"] = "error"
) -> Finding:
    """Return a finding about a whole file."""
    return Finding("", expected, found, hint, code=code, severity=severity)


def lines_of(chunk: Range | Lines) -> Iterator[bytes | FileProblem]:
    """Yield the lines of a chunk, and a problem instead of each line that is too long.

    Raises:
        OSError: The file cannot be read.
    """
    if isinstance(chunk, Lines):
        for line in chunk.text.removesuffix(b"\n").split(b"\n"):
            yield line_too_long(line[:MAX_REDACTED_LENGTH]) if len(line) > MAX_BYTES else line
        return
    with open(chunk.path, "rb") as file:
        if chunk.start:
            # A line that crosses the start belongs to the previous range.
            file.seek(chunk.start - 1)
            _skip_line(file, chunk.stop)
        while file.tell() < chunk.stop:
            first = file.tell() == 0
            line = file.readline(MAX_BYTES + 1)
            if not line:
                raise OSError(errno.EIO, "a file that became shorter while it was read")
            if len(line) > MAX_BYTES and not line.endswith(b"\n"):
                _skip_line(file)
                yield line_too_long(line[:MAX_REDACTED_LENGTH])
            else:
                yield line.removeprefix(BYTE_ORDER_MARK) if first else line


def _skip_line(file: IO[bytes], stop: int | None = None) -> None:
    """Read past the next line break, or until `stop` is passed."""
    while (part := file.readline(1 << 20)) and not part.endswith(b"\n"):
        if stop is not None and file.tell() >= stop:
            return


MAX_BYTES = 32 << 20
"""Maximum length of an event in bytes."""

TOO_LONG = Finding(
    "", "an event of at most 32 MiB", "more", "check for a missing line break or quotation mark", code="OL806"
)
"""Finding about a longer event, which is not parsed."""


BYTE_ORDER_MARK = b"\xef\xbb\xbf"

UTF16_STARTS = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"[\0", b"\0[")
"""What JSON in UTF-16 begins with."""

UTF16_TEXT = file_finding("OL803", "UTF-8 text", "UTF-16 text", "convert it to UTF-8")
"""Finding about a file that is not read because of its encoding."""


def bounded_lines(texts: Iterable[bytes], max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    r"""Yield the lines of a text without `\n` and byte order mark.

    Text after the last `\n` is a line if it is not empty. Of a line longer than `max_bytes`, only the first
    `max_bytes + 1` bytes are yielded.

    Args:
        texts: The text, split at any position.
        max_bytes: The limit.
    """
    pieces: list[bytes] = []
    length = 0
    mark = BYTE_ORDER_MARK
    for text in texts:
        *complete, rest = text.split(b"\n")
        for part in complete:
            pieces.append(part)
            yield b"".join(pieces).removeprefix(mark)[: max_bytes + 1]
            pieces, length, mark = [], 0, b""
        if length <= max_bytes + len(mark):
            pieces.append(rest)
            length += len(rest)
    if length and (line := b"".join(pieces).removeprefix(mark)[: max_bytes + 1]):
        yield line
