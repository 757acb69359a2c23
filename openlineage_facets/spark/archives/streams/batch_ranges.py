"""Which batches of a stream a folder of records contains, so that few folders contain all of them.

Every tenth batch merges the records of the last ten batches with its own, every hundredth those of the last
hundred, and so on. A record is thus rewritten once for each power of ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MERGED_AT_ONCE = 10
"""How many ranges become one."""

_NAME = re.compile(r"(\d+)-(\d+)")


class BatchRange(NamedTuple):
    """Consecutive batches of a stream."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"

    def is_part_of(self, other: BatchRange) -> bool:
        """Return whether `other` contains all of these batches and more."""
        return self != other and other.first <= self.first and self.last <= other.last


def ranges_of(names: Iterable[str]) -> list[BatchRange]:
    """Return the ranges among the names of folders."""
    matches = map(_NAME.fullmatch, names)
    return sorted(BatchRange(int(match[1]), int(match[2])) for match in matches if match)


def written_by(batch: int) -> BatchRange:
    """Return the range of records that a batch writes, which ends with this batch."""
    size = 1
    while (batch + 1) % (size * MERGED_AT_ONCE) == 0:
        size *= MERGED_AT_ONCE
    return BatchRange(batch + 1 - size, batch)


def to_merge(written: BatchRange, ranges: Iterable[BatchRange]) -> list[BatchRange]:
    """Return the ranges of earlier batches to merge into a range.

    Args:
        written: The range. A failed attempt may have written it before, partly.
        ranges: All ranges.
    """
    earlier = [batches for batches in ranges if batches.last < written.last]
    parts = [batches for batches in earlier if batches.is_part_of(written)]
    return [batches for batches in parts if not any(batches.is_part_of(other) for other in earlier)]


def superseded_before(batch: int, ranges: Iterable[BatchRange]) -> list[BatchRange]:
    """Return the ranges that are not needed any more when a batch begins.

    Those that another range contains, whose batch was committed. They are kept for a few more batches, for
    queries that have begun to read them.
    """
    listed = list(ranges)
    settled = [batches for batches in listed if batches.last + MERGED_AT_ONCE <= batch]
    return [batches for batches in listed if any(batches.is_part_of(other) for other in settled)]
