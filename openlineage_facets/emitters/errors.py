"""Errors of emitters, and what happens to them: the `on_error` argument."""

from __future__ import annotations

from typing import Literal, TypeAlias

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.redaction.redact import redact

OnError: TypeAlias = Literal["log", "raise"]
"""Whether lineage failures are logged or raised."""


def checked_on_error(value: OnError) -> OnError:
    """Return `value` if it is a valid `on_error` argument.

    Raises:
        ValueError: It is not.
    """
    if value not in ("log", "raise"):
        raise ValueError(f"on_error: expected 'log' or 'raise', found {value!r}")
    return value


class EmissionError(Exception):
    """An event was not delivered; a retry may succeed.

    Args:
        message: Becomes one line: control characters, which receivers may send, are escaped.
        kind: Groups similar failures; each kind is logged once. Defaults to the message.
        retry_after: Seconds of the receiver's `Retry-After`, without a limit.
    """

    def __init__(self, message: str, *, kind: str = "", retry_after: float | None = None) -> None:
        shown = printable(message)
        super().__init__(shown)
        self.kind = kind or shown
        self.retry_after = retry_after


class EventRejected(EmissionError):
    """The receiver rejected an event; a retry cannot succeed.

    Args:
        message: As in `EmissionError`.
        answer: The receiver's response.
        kind: Groups similar failures.
    """

    def __init__(self, message: str, answer: str = "", *, kind: str = "") -> None:
        super().__init__(message, kind=kind)
        self.answer = printable(answer)


_EVENT_STATUSES = {400, 409, 413, 422}
"""HTTP statuses that concern the event itself.

All others concern the receiver, the network or permissions: 403 and 404 occur during a redeploy.
"""


def http_error(
    status: int, message: str, text: str = "", *, retry_after: float | None = None
) -> EmissionError:
    """Return the error for an HTTP response other than 2xx.

    Args:
        status: The status code.
        message: One line.
        text: The response body.
        retry_after: Seconds of the `Retry-After` header.
    """
    if status in _EVENT_STATUSES:
        return EventRejected(message, f"{status} {text}".rstrip(), kind=f"HTTP {status}")
    return EmissionError(message, kind=f"HTTP {status}", retry_after=retry_after)


def emission_error(error: BaseException, problem: str) -> EmissionError:
    """Convert an exception to an `EmissionError`.

    Args:
        error: The exception.
        problem: The start of the message, such as "could not write lineage.ndjson".
    """
    if isinstance(error, EmissionError):
        return error
    reason = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    message = redact(" ".join(f"{problem}: {reason}".split()))
    return EmissionError(message, kind=f"{problem}: {type(error).__name__} {getattr(error, 'errno', None)}")
