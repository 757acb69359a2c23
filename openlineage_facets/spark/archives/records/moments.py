"""Instants and sort keys as text that sorts in order of time, in Python and in Spark."""

from __future__ import annotations

from functools import lru_cache

from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.state.facet_history import SortKey
from openlineage_facets.state.instants import utc_text

_SHIFT = 100_000_000_000
"""Added to the seconds since 1970, so that none are negative and all have twelve digits."""
_DIGITS = 12

AFTER_EVERY_RANK = 99
"""A rank that sorts after those of all events."""


@lru_cache(maxsize=4096)
def moment_of(seconds: int, fraction: str, rank: int = 0) -> str:
    """Return an instant, or a sort key with its rank, as text.

    Example:
        >>> moment_of(1_767_225_600, "25", 3)
        '101767225600.25 03'
    """
    # The space sorts before all digits: a shorter fraction is the smaller one.
    return f"{seconds + _SHIFT:0{_DIGITS}}.{fraction} {rank:02}"


@lru_cache(maxsize=4096)
def sort_key_at(moment: str) -> SortKey:
    """Return the sort key in a text of `moment_of`."""
    fraction, _, rank = moment[_DIGITS + 1 :].partition(" ")
    return int(moment[:_DIGITS]) - _SHIFT, fraction, int(rank)


def instant_at(moment: str) -> Instant:
    """Return the instant in a text of `moment_of`."""
    return sort_key_at(moment)[:2]


def time_at(moment: str) -> str:
    """Return the instant in a text of `moment_of` as a date-time in UTC."""
    return time_of(instant_at(moment))


@lru_cache(maxsize=4096)
def time_of(instant: Instant) -> str:
    """Return an instant as a date-time in UTC. The times of a run's facets are mostly those of its events."""
    return utc_text(instant)
