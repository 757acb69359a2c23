"""Retries of single events in the background, without a spool, and the header `Retry-After`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from time import monotonic, sleep

from openlineage_facets.emitters.errors import EmissionError, EventRejected

RETRY_AFTER_LIMIT = 60.0
"""Maximum delay in seconds that is honored."""


def retry_after_seconds(value: str | None, date: str | None) -> float | None:
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
        date = parsedate_to_datetime(text)
        return date if date.tzinfo else date.replace(tzinfo=timezone.utc)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


_PAUSE, _LONGEST_PAUSE = 0.2, 2.0
"""Seconds before the first retry, and the limit for later ones; the pause doubles each time."""


class Retries:
    """Retries with exponential backoff that honor `Retry-After`.

    Args:
        seconds: Time limit for retries of an event. Pauses requested by `Retry-After` are added, up to
            `RETRY_AFTER_LIMIT` seconds per event.
        count: Maximum number of retries, None for as many as the time allows.
    """

    def __init__(self, seconds: float, count: int | None = None) -> None:
        self._seconds = seconds
        self._count = count
        self._not_before = 0.0

    def deliver(
        self, attempt: Callable[[], None], may_help: Callable[[EmissionError], bool] = lambda _: True
    ) -> None:
        """Retry until an attempt succeeds, the receiver rejects the event, or a limit is reached.

        Args:
            attempt: Makes one attempt.
            may_help: Returns whether a retry makes sense after a failure.

        Raises:
            EmissionError: The last attempt failed.
        """
        begin = monotonic()
        granted = self.wait_for_receiver()
        pause, attempts = _PAUSE, 0
        while True:
            try:
                return attempt()
            except EventRejected:
                raise
            except EmissionError as error:
                attempts += 1
                asked = self.respect(error)
                has_time = monotonic() + pause - begin <= self._seconds + granted
                may_wait = 0 < asked <= RETRY_AFTER_LIMIT - granted
                is_enough = self._count is not None and attempts > self._count
                if is_enough or not may_help(error) or not (has_time or may_wait):
                    raise
                granted += self.wait_for_receiver(RETRY_AFTER_LIMIT - granted)
                sleep(max(0.0, pause - asked))
                pause = min(2 * pause, _LONGEST_PAUSE)

    def respect(self, error: EmissionError) -> float:
        """Let the next attempt wait as long as the receiver demands, and return the seconds."""
        asked = min(error.retry_after or 0.0, RETRY_AFTER_LIMIT)
        self._not_before = monotonic() + asked
        return asked

    def wait_for_receiver(self, longest: float = RETRY_AFTER_LIMIT) -> float:
        """Wait as long as the receiver has demanded, at most `longest` seconds, and return the seconds."""
        seconds = min(self._not_before - monotonic(), longest)
        if seconds <= 0:
            return 0.0
        sleep(seconds)
        return seconds
