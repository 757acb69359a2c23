"""Instants of events and time spans between them."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

from openlineage_facets.base.times.rfc3339 import Instant, parse_instant
from openlineage_facets.base.times.timestamp import Timestamp

Span: TypeAlias = tuple[Instant, Instant]
"""The earliest and the latest instant."""

_EPOCH = datetime(1970, 1, 1)
_EPOCH_DAY = _EPOCH.toordinal()
_DAY = 86_400
_FIRST_SECOND = (1 - _EPOCH_DAY) * _DAY
_LAST_SECOND = (datetime.max.toordinal() + 1 - _EPOCH_DAY) * _DAY - 1
_WIDEST_OFFSET = 23 * 3600 + 59 * 60

FIRST_SECOND = _FIRST_SECOND - _WIDEST_OFFSET
"""The earliest instant: the beginning of the year 1, where clocks are most ahead of UTC."""

LAST_SECOND = _LAST_SECOND + _WIDEST_OFFSET
"""The latest instant: the end of the year 9999, where clocks are most behind UTC."""


def instant_of(value: str | datetime) -> Instant:
    """Return the exact instant of an RFC 3339 text or an aware `datetime`.

    Raises:
        ValueError: The text is not a date-time with an offset, or the `datetime` is naive.
    """
    instant = parse_instant(Timestamp(value).text if isinstance(value, datetime) else value)
    if instant is None:
        raise ValueError("not an RFC 3339 date-time with an offset")
    return instant


@lru_cache(maxsize=4096)
def timestamp_of(instant: Instant) -> Timestamp:
    """Return an instant as a timestamp in UTC. Equal instants have equal texts."""
    return Timestamp(utc_text(instant))


def utc_text(instant: Instant) -> str:
    """Return an instant as a date-time in UTC. Equal instants have equal texts."""
    seconds, fraction = instant
    shift, zone = 0, "Z"
    # Some instants of the years 1 and 9999 are outside these years in UTC: keep an offset.
    if seconds < _FIRST_SECOND:
        shift, zone = _WIDEST_OFFSET, "+23:59"
    elif seconds > _LAST_SECOND:
        shift, zone = -_WIDEST_OFFSET, "-23:59"
    clock = (_EPOCH + timedelta(seconds=seconds + shift)).isoformat(timespec="seconds")
    return f"{clock}.{fraction}{zone}" if fraction else clock + zone


def widened(span: Span | None, other: Span) -> Span:
    """Return the shortest span that contains both."""
    if span is None:
        return other
    if span[0] <= other[0] and other[1] <= span[1]:
        return span
    return min(span[0], other[0]), max(span[1], other[1])
