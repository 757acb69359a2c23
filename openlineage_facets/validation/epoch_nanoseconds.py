"""Convert RFC 3339 date-times to nanoseconds since 1970, for comparisons."""

from __future__ import annotations

from functools import lru_cache

from openlineage_facets.base.times.rfc3339 import parse_instant


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
