"""The lines of a chunk, read from the file where the chunk is a range of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from openlineage_facets.base.credentials import LOOKED_AT
from openlineage_facets.cli.chunks import Lines, Problem, Range, too_long_line
from openlineage_facets.cli.json_values import LONGEST
from openlineage_facets.cli.layout import BYTE_ORDER_MARK

__all__ = ["lines_of"]


def lines_of(chunk: Range | Lines) -> Iterator[bytes | Problem]:
    """Yield the lines of a chunk, and a problem in the place of each that is too long.

    Raises:
        OSError: The file cannot be read.
    """
    if isinstance(chunk, Lines):
        yield from chunk.text.removesuffix(b"\n").removeprefix(BYTE_ORDER_MARK).split(b"\n")
        return
    with open(chunk.path, "rb") as file:
        if chunk.start:
            # The line that goes on over the start belongs to the range before.
            file.seek(chunk.start - 1)
            _skip_line(file, chunk.stop)
        while file.tell() < chunk.stop:
            first = file.tell() == 0
            line = file.readline(LONGEST + 1)
            if not line:
                return
            if len(line) > LONGEST:
                _skip_line(file)
                yield too_long_line(line[:LOOKED_AT])
            else:
                yield line.removeprefix(BYTE_ORDER_MARK) if first else line


def _skip_line(file: IO[bytes], stop: int | None = None) -> None:
    """Read on behind the next line break, or until `stop` is passed."""
    while (part := file.readline(1 << 20)) and not part.endswith(b"\n"):
        if stop is not None and file.tell() >= stop:
            return
