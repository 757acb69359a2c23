"""RFC 3339 date-times: their grammar, and exact instants, in which all fraction digits count."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TypeAlias

RFC3339 = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))",
    re.ASCII,
)
"""Matches the syntax of a date-time; the date and time may not exist.

Its groups are year, month, day, hour, minute, second, the digits of the fraction, Z, and the sign, hours and
minutes of the offset.
"""

DATE_TIME = "an RFC 3339 date-time with an offset, such as 2026-11-21T08:30:00Z"
"""The expected value in findings about date-times."""


Instant: TypeAlias = tuple[int, str]
"""Whole seconds since 1970 in UTC, and the fraction digits without trailing zeros.

Instants compare exactly: fraction digits without trailing zeros sort as text in the same order as the
fractions they represent. Equal instants are equal tuples, whatever their offsets.
"""

_EPOCH_DAY = date(1970, 1, 1).toordinal()


def parse_instant(text: str) -> Instant | None:
    """Return the instant of a date-time with an offset, or None if the text is not one.

    Faster than creating a `datetime`, and not limited to microseconds.

    Example:
        >>> parse_instant("1970-01-01T01:00:00.50+01:00")
        (0, '5')
    """
    match = RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, _, sign, offset_hours, offset_minutes = match.groups()
    days = _days_since_epoch(year, month, day)
    # Digits of equal length compare as text in the same order as the numbers they represent.
    if days is None or hour > "23" or minute > "59" or second > "59":
        return None
    seconds = days * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
    if sign:
        if offset_hours > "23" or offset_minutes > "59":
            return None
        offset = int(offset_hours) * 3600 + int(offset_minutes) * 60
        seconds -= offset if sign == "+" else -offset
    return seconds, fraction.rstrip("0") if fraction else ""


@lru_cache(maxsize=1024)
def _days_since_epoch(year: str, month: str, day: str) -> int | None:
    try:
        return date(int(year), int(month), int(day)).toordinal() - _EPOCH_DAY
    except ValueError:
        return None


@lru_cache(maxsize=16)  # Several rules ask for the time of the same event.
def epoch_nanoseconds(text: str) -> int | None:
    """Return an RFC 3339 date-time as nanoseconds since 1970, None if the text is not one.

    Faster than creating a datetime, and exact to the nanosecond.

    Example:
        >>> epoch_nanoseconds("1970-01-01T01:00:00.5+01:00")
        500000000
    """
    instant = parse_instant(text)
    if instant is None:
        return None
    seconds, fraction = instant
    return seconds * 1_000_000_000 + (int(fraction[:9].ljust(9, "0")) if fraction else 0)
