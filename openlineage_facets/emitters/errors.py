"""Why an event was not delivered."""

from __future__ import annotations

__all__ = ["EmissionError", "EventRejected"]


class EmissionError(Exception):
    """An event that was not delivered; another attempt may succeed.

    Args:
        message: What went wrong, in one line.
        kind: What failures of this kind have in common; each kind is logged once.
        retry_after: Seconds after which the receiver wants to hear of it again, where it says so.
    """

    def __init__(self, message: str, *, kind: str = "", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind or message
        self.retry_after = retry_after


class EventRejected(EmissionError):
    """An event that its receiver will never take, however often it is sent.

    Args:
        message: What went wrong, in one line.
        answer: What the receiver said of it.
        kind: What failures of this kind have in common.
    """

    def __init__(self, message: str, answer: str = "", *, kind: str = "") -> None:
        super().__init__(message, kind=kind)
        self.answer = answer


_TRY_AGAIN = {401, 407, 408, 421, 423, 425, 429}
"""Answers 4xx that say nothing of the event: who may send it, or when, or where."""


def refusal(status: int, message: str, text: str = "", *, retry_after: float | None = None) -> EmissionError:
    """Return what an HTTP answer, other than 2xx, means for the event.

    Args:
        status: The answer's status.
        message: What went wrong, in one line.
        text: The answer's text.
        retry_after: What the answer says of further attempts.
    """
    if 400 <= status < 500 and status not in _TRY_AGAIN:
        return EventRejected(message, f"{status} {text}".rstrip(), kind=f"HTTP {status}")
    return EmissionError(message, kind=f"HTTP {status}", retry_after=retry_after)


def emission_error(error: BaseException, doing: str) -> EmissionError:
    """Return any error as the failure of an emission.

    Args:
        error: What was raised.
        doing: What failed, such as "writing lineage.ndjson".
    """
    if isinstance(error, EmissionError):
        return error
    said = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    message = " ".join(f"{doing}: {said}".split())
    return EmissionError(message, kind=f"{doing}: {type(error).__name__} {getattr(error, 'errno', None)}")
