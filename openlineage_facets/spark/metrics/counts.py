"""Rows, bytes and files that were read or written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Counts:
    """Rows, bytes and files that were read or written; None for unknown numbers.

    Example:
        >>> Counts(rows=1, bytes=20) + Counts(rows=2, bytes=None)
        Counts(rows=3, bytes=None, files=None)
    """

    rows: int | None = None
    bytes: int | None = None
    files: int | None = None

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            _sum(self.rows, other.rows), _sum(self.bytes, other.bytes), _sum(self.files, other.files)
        )

    @property
    def statistics(self) -> dict[str, Any]:
        """The fields of a facet with statistics, without unknown ones."""
        numbers = {"row_count": self.rows, "size": self.bytes, "file_count": self.files}
        return {field: number for field, number in numbers.items() if number is not None}

    def __bool__(self) -> bool:
        return (self.rows, self.bytes, self.files) != (None, None, None)


def total(counts: Sequence[Counts]) -> Counts:
    """Return the sum of what several scans read."""
    return sum(counts[1:], counts[0])


def widest(counts: Sequence[Counts]) -> Counts:
    """Return what the scan with the most files read: the others read the same files again, or some of them.

    Example:
        >>> widest([Counts(rows=3, files=2), Counts(rows=1, files=1)])
        Counts(rows=3, bytes=None, files=2)
    """
    return max(counts, key=_width)


def _width(counts: Counts) -> tuple[int, ...]:
    numbers = (counts.files, counts.rows, counts.bytes)
    return tuple(-1 if number is None else number for number in numbers)


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
