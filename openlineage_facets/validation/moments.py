"""Points in time that RFC 3339 date-times tell, to compare them."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

__all__ = ["moment_of"]

_DATE_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
)
_EPOCH = date(1970, 1, 1).toordinal()


def moment_of(text: str) -> int | None:
    """Return the nanoseconds since 1970 that a date-time with an offset tells, None for any other text.

    Faster than making a datetime, and exact to the nanosecond.

    Example:
        >>> moment_of("1970-01-01T01:00:00.5+01:00")
        500000000
    """
    found = _DATE_TIME.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = found.groups()
    days = _day(year, month, day)
    if days is None:
        return None
    seconds = days * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
    if sign:
        offset = int(hours) * 3600 + int(minutes) * 60
        seconds -= offset if sign == "+" else -offset
    return seconds * 1_000_000_000 + (int(fraction[:9].ljust(9, "0")) if fraction else 0)


@lru_cache(maxsize=1024)
def _day(year: str, month: str, day: str) -> int | None:
    """Return the days since 1970, None where there is no such day."""
    try:
        return date(int(year), int(month), int(day)).toordinal() - _EPOCH
    except ValueError:
        return None
