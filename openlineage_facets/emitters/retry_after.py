"""Parse the HTTP header `Retry-After`."""

from __future__ import annotations

from datetime import datetime, timezone

RETRY_AFTER_LIMIT = 60.0
"""Maximum delay in seconds that is honored."""


def retry_after_seconds(value: str | None, date: str | None = None) -> float | None:
    """Return the delay of a `Retry-After` header in seconds, None if it is absent or invalid.

    Args:
        value: The header, in seconds or as an HTTP date.
        date: The response's `Date`, to which a date is relative. It makes differing clocks harmless.

    Example:
        >>> retry_after_seconds("Sun, 22 Nov 2026 08:00:30 GMT", "Sun, 22 Nov 2026 08:00:00 GMT")
        30.0
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    until = _http_date(text)
    if until is None:
        return None
    now = _http_date(date or "") or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _http_date(text: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    try:
        found = parsedate_to_datetime(text)
        return found if found.tzinfo else found.replace(tzinfo=timezone.utc)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
