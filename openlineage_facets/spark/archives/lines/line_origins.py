"""Where the lines of a task come from, as the quarantine states it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

from openlineage_facets.spark.archives.lines.line_numbers import LineNumbers

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
