"""What an emitter is, and what stands for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from openlineage_facets.emitters.errors import EmissionError, emission_error
from openlineage_facets.emitters.sending import OnError, SendingEmitter
from openlineage_facets.emitters.wire import event_of

__all__ = ["CallingEmitter", "Emitter", "NoEmitter", "as_emitter", "sender_of"]


@runtime_checkable
class Emitter(Protocol):
    """Anything that takes events out of the job."""

    def emit(self, event: Any, /) -> None:
        """Take an event."""

    def close(self) -> None:
        """Finish what is on its way."""


class CallingEmitter(SendingEmitter):
    """Calls a function with each event, in the thread that emits it and for as long as it takes.

    Args:
        function: What takes the event; whatever it raises means that the event was not delivered.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Example:
        >>> CallingEmitter(print).emit(event)
    """

    def __init__(self, function: Callable[[Any], object], *, on_error: OnError = "log") -> None:
        self._function = function
        super().__init__(on_error)

    def emit(self, event: Any) -> None:
        """Call the function with the event."""
        try:
            self._function(event)
        except Exception as error:
            self._fail(emission_error(error, "emitting"))

    def send(self, line: bytes) -> None:
        """Call the function with the event that stands in `line`."""
        self._function(event_of(line))

    def __str__(self) -> str:
        return f"CallingEmitter({getattr(self._function, '__qualname__', self._function)})"


class _Closeable(CallingEmitter):
    """An emitter without `close`, or with one that may raise."""

    def __init__(self, emitter: Any, on_error: OnError) -> None:
        self._emitter = emitter
        super().__init__(emitter.emit, on_error=on_error)

    def close(self) -> None:
        try:
            close = getattr(self._emitter, "close", None)
            if close is not None:
                close()
        except Exception as error:
            failure = emission_error(error, "closing")
            if self._on_error == "raise":
                raise failure from error
            self._failures.warn(str(failure), failure.kind)
        super().close()

    def __str__(self) -> str:
        return str(self._emitter)


class NoEmitter(SendingEmitter):
    """Takes events and does nothing with them."""

    def send(self, line: bytes) -> None:
        """Do nothing."""


def as_emitter(given: Any, *, on_error: OnError = "log") -> SendingEmitter:
    """Return an emitter for whatever was given as one; its failures cost no job.

    Args:
        given: An emitter, or a function that takes an event.
        on_error: What becomes of failures of a function, or of an emitter that is not of this package.

    Raises:
        TypeError: It is neither.

    Example:
        >>> as_emitter(print)
        CallingEmitter(print)
    """
    if isinstance(given, SendingEmitter):
        return given
    if callable(getattr(given, "emit", None)) and not isinstance(given, type):
        return _Closeable(given, on_error)
    if callable(given) and not isinstance(given, type):
        return CallingEmitter(given, on_error=on_error)
    raise TypeError(f"expected an emitter, or a function that takes an event, found {given!r}")


def sender_of(given: Any) -> Callable[[bytes], None]:
    """Return what delivers one line, in one attempt, and raises `EmissionError` where that fails."""
    emitter = as_emitter(given, on_error="raise")

    def send(line: bytes) -> None:
        try:
            emitter.send(line)
        except EmissionError:
            raise
        except (Exception, SystemExit) as error:  # A thread that exits would deliver nothing any more.
            raise emission_error(error, f"emitting to {emitter}") from error

    return send
