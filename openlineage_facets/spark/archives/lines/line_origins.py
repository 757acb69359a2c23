"""Where the lines of a task come from: file and number, or other columns of their row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

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


Origins: TypeAlias = Callable[[int], dict[str, Any]]
"""Returns the fields of a quarantined line by the number of its row. Called for invalid lines only."""


class LineOrigins(Protocol):
    """The origins of the lines of a task."""

    def of(self, batch: Any) -> Origins:
        """Return the origins of the rows of the next batch."""
        ...


class FileOrigins:
    """Files and line numbers, from the columns of `lines_of`."""

    def __init__(self) -> None:
        self._numbers = LineNumbers()

    def of(self, batch: Any) -> Origins:
        """Return the origins of the rows of the next batch."""
        return partial(_place_in_file, batch.column("file"), self._numbers.of(batch))


class RowOrigins:
    """The other columns of a table, from the column `origin` with a JSON object."""

    def of(self, batch: Any) -> Origins:
        """Return the origins of the rows of the next batch."""
        return partial(_columns, batch.column("origin"))


def _place_in_file(files: Any, numbers: Sequence[int | None], row: int) -> dict[str, Any]:
    place: dict[str, Any] = {"file": files[row].as_py()}
    number = numbers[row]
    return place if number is None else {**place, "line_number": number}


def _columns(origins: Any, row: int) -> dict[str, Any]:
    columns: dict[str, Any] = json.loads(origins[row].as_py())
    return columns
