"""The grammar of date-times (RFC 3339, section 5.6), with an offset."""

from __future__ import annotations

import re

__all__ = ["DATE_TIME", "RFC3339"]

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
