"""Rows, bytes and files that were read or written."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Counts"]


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

    def __bool__(self) -> bool:
        return (self.rows, self.bytes, self.files) != (None, None, None)


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
