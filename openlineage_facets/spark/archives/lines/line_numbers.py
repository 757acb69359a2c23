"""Number the lines of file pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from openlineage_facets.spark.archives.lines.text_lines import PIECE

__all__ = ["LineNumbers"]


class LineNumbers:
    """Numbers the lines of the pieces of files, which are in order within a piece."""

    def __init__(self) -> None:
        self._piece: tuple[Any, ...] | None = None
        self._lines = 0

    def of(self, batch: Any) -> list[int | None]:
        """Return the line number of each row of a batch with the columns of `PIECE`, None if unknown."""
        return list(self._numbers(zip(*(batch.column(name).to_pylist() for name in PIECE), strict=True)))

    def _numbers(self, pieces: Iterator[tuple[Any, ...]]) -> Iterator[int | None]:
        for piece in pieces:
            if piece != self._piece:
                self._piece, self._lines = piece, 0
            self._lines += 1
            before = piece[2]
            yield None if before is None else before + self._lines
