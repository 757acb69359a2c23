"""Number the lines of file pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from openlineage_facets.spark.archives.lines.text_lines import PIECE


class LineNumbers:
    """Numbers the lines of the pieces of files, which are in order within a piece."""

    def __init__(self) -> None:
        self._piece: tuple[Any, ...] | None = None
        self._lines = 0

    def of(self, batch: Any) -> Sequence[int | None]:
        """Return the line number of each row of a batch with the columns of `PIECE`, None if unknown."""
        columns = [batch.column(name) for name in PIECE]
        count = batch.num_rows
        if count and all(column[0] == column[count - 1] for column in columns):
            # Pieces follow one another, so that all rows belong to this one.
            return self._of_piece(tuple(column[0].as_py() for column in columns), count)
        return list(self._of_pieces(zip(*(column.to_pylist() for column in columns), strict=True)))

    def _of_pieces(self, pieces: Iterator[tuple[Any, ...]]) -> Iterator[int | None]:
        for piece in pieces:
            yield from self._of_piece(piece, 1)

    def _of_piece(self, piece: tuple[Any, ...], count: int) -> Sequence[int | None]:
        """Number the next lines of a piece."""
        if piece != self._piece:
            self._piece, self._lines = piece, 0
        before, earlier = piece[2], self._lines
        self._lines += count
        if before is None:
            return [None] * count
        return range(before + earlier + 1, before + self._lines + 1)
