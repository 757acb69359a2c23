"""Read the lines of a chunk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from openlineage_facets.base.redaction.redact import MAX_REDACTED_LENGTH
from openlineage_facets.event_files.bounded_lines import BYTE_ORDER_MARK, MAX_BYTES
from openlineage_facets.event_files.chunks import FileProblem, Lines, Range, line_too_long


def lines_of(chunk: Range | Lines) -> Iterator[bytes | FileProblem]:
    """Yield the lines of a chunk, and a problem instead of each line that is too long.

    Raises:
        OSError: The file cannot be read.
    """
    if isinstance(chunk, Lines):
        for line in chunk.text.removesuffix(b"\n").removeprefix(BYTE_ORDER_MARK).split(b"\n"):
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
                return
            if len(line) > MAX_BYTES:
                _skip_line(file)
                yield line_too_long(line[:MAX_REDACTED_LENGTH])
            else:
                yield line.removeprefix(BYTE_ORDER_MARK) if first else line


def _skip_line(file: IO[bytes], stop: int | None = None) -> None:
    """Read past the next line break, or until `stop` is passed."""
    while (part := file.readline(1 << 20)) and not part.endswith(b"\n"):
        if stop is not None and file.tell() >= stop:
            return
