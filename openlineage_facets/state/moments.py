"""Exact moments: every digit of a timestamp and its offset count, whatever resolution `datetime` has."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TypeAlias

from openlineage_facets.base.timestamp import Timestamp

__all__ = ["Moment", "Span", "moment_of", "timestamp_of", "widened"]

Moment: TypeAlias = tuple[int, str]
"""Whole seconds since 1970 in UTC, and the digits of the fraction without trailing zeros.

Digits without trailing zeros compare as text just as the fractions compare as numbers, however many
there are; so moments compare exactly, and one instant has one moment.
"""

Span: TypeAlias = tuple[Moment, Moment]
"""The earliest and the latest moment of something."""

_FRACTION = re.compile(r"\.(\d+)", re.ASCII)
_EPOCH = datetime(1970, 1, 1)
_EPOCH_DAY = _EPOCH.toordinal()
_DAY = 86_400
_FIRST_SECOND = (1 - _EPOCH_DAY) * _DAY
_LAST_SECOND = (datetime.max.toordinal() + 1 - _EPOCH_DAY) * _DAY - 1
_WIDEST_OFFSET = 23 * 3600 + 59 * 60


def moment_of(value: str | datetime) -> Moment:
    """Return the exact moment of an RFC 3339 text or an aware `datetime`.

    Raises:
        ValueError: The value is no date-time with an offset.
    """
    stamp = value if isinstance(value, Timestamp) else Timestamp(value)
    offset = stamp.utcoffset()
    assert offset is not None
    days = stamp.toordinal() - _EPOCH_DAY - offset.days
    seconds = stamp.hour * 3600 + stamp.minute * 60 + stamp.second - offset.seconds
    fraction = _FRACTION.search(stamp.text)
    return days * _DAY + seconds, fraction[1].rstrip("0") if fraction else ""


def timestamp_of(moment: Moment) -> Timestamp:
    """Return a moment as a timestamp in UTC; one spelling for one instant."""
    seconds, fraction = moment
    shift, zone = 0, "Z"
    # An instant of the year 1 or 9999 may have no spelling in UTC: it was written with an offset.
    if seconds < _FIRST_SECOND:
        shift, zone = _WIDEST_OFFSET, "+23:59"
    elif seconds > _LAST_SECOND:
        shift, zone = -_WIDEST_OFFSET, "-23:59"
    clock = (_EPOCH + timedelta(seconds=seconds + shift)).isoformat(timespec="seconds")
    return Timestamp(f"{clock}.{fraction}{zone}" if fraction else clock + zone)


def widened(span: Span | None, other: Span) -> Span:
    """Return the shortest span that holds both."""
    if span is None:
        return other
    return min(span[0], other[0]), max(span[1], other[1])
