"""Where the lines of a task come from, as the quarantine states it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol, TypeAlias

from openlineage_facets.spark.archives.lines.line_numbers import LineNumbers

__all__ = ["FileOrigins", "LineOrigins", "Origin", "RowOrigins"]

Origin: TypeAlias = Callable[[], dict[str, Any]]
"""Returns the fields of a quarantined line. Called for invalid lines only."""


class LineOrigins(Protocol):
    """The origins of the lines of a task."""

    def of(self, batch: Any) -> Iterator[Origin]:
        """Yield the origin of each row of a batch."""
        ...


class FileOrigins:
    """Files and line numbers, from the columns of `lines_of`."""

    def __init__(self) -> None:
        self._numbers = LineNumbers()

    def of(self, batch: Any) -> Iterator[Origin]:
        """Yield the origin of each row of a batch."""
        for file, number in zip(batch.column("file"), self._numbers.of(batch), strict=True):
            yield partial(_place_in_file, file, number)


class RowOrigins:
    """The other columns of a table, from the column `origin` with a JSON object."""

    def of(self, batch: Any) -> Iterator[Origin]:
        """Yield the origin of each row of a batch."""
        for origin in batch.column("origin"):
            yield partial(_columns, origin)


def _place_in_file(file: Any, number: int | None) -> dict[str, Any]:
    place: dict[str, Any] = {"file": file.as_py()}
    return place if number is None else {**place, "line_number": number}


def _columns(origin: Any) -> dict[str, Any]:
    columns: dict[str, Any] = json.loads(origin.as_py())
    return columns
