"""Events to several receivers."""

from __future__ import annotations

from typing import Any

from openlineage_facets.emitters.errors import EmissionError, EventRejected, emission_error
from openlineage_facets.emitters.protocol import as_emitter, sender_of
from openlineage_facets.emitters.sending import OnError, SendingEmitter

__all__ = ["MultiEmitter"]


class MultiEmitter(SendingEmitter):
    """Gives each event to several emitters, each of which fails for itself.

    `emit` waits for one after the other, so its bound is the sum of theirs. To spool for receivers that are
    down at different times, give each a `SpoolEmitter` with a folder of its own.

    Args:
        emitters: Emitters, or functions that take an event.
        on_error: What becomes of failures that an emitter raises.

    Example:
        >>> MultiEmitter(ConsoleEmitter(), FileEmitter("lineage.ndjson")).emit(event)
    """

    def __init__(self, *emitters: Any, on_error: OnError = "log") -> None:
        self._emitters = [as_emitter(one, on_error="raise") for one in emitters]
        self._senders = [sender_of(one) for one in self._emitters]
        self._reached: dict[bytes, dict[int, EventRejected | None]] = {}
        super().__init__(on_error)

    def emit(self, event: Any) -> None:
        """Give an event to every emitter, whatever the others do.

        Raises:
            EmissionError: Some of them raised, and `on_error` is "raise".
        """
        failed = []
        for emitter in self._emitters:
            try:
                emitter.emit(event)
            except Exception as error:
                failed.append(emission_error(error, f"emitting to {emitter}"))
        for failure in failed if self._on_error == "log" else ():
            self._failures.undelivered(failure)
        if failed and self._on_error == "raise":
            raise _together(failed)

    def send(self, line: bytes) -> None:
        """Deliver one line to all; a further attempt goes to those alone that have not got it."""
        reached = self._reached.pop(line, {})
        failed = []
        for number, send in enumerate(self._senders):
            if number in reached:
                continue
            try:
                send(line)
                reached[number] = None
            except EventRejected as error:
                reached[number] = error
            except EmissionError as error:
                failed.append(error)
        if failed:
            self._reached[line] = reached
            raise _together(failed)
        rejected = [error for error in reached.values() if error is not None]
        if rejected:
            both = _together(list(rejected))
            raise EventRejected(str(both), "; ".join(error.answer for error in rejected), kind=both.kind)

    def close(self) -> None:
        """Close every emitter, whatever the others do."""
        failed = []
        for emitter in self._emitters:
            try:
                emitter.close()
            except Exception as error:
                failed.append(emission_error(error, f"closing {emitter}"))
        for failure in failed if self._on_error == "log" else ():
            self._failures.warn(str(failure), failure.kind)
        super().close()
        if failed and self._on_error == "raise":
            raise _together(failed)

    def __str__(self) -> str:
        return f"MultiEmitter({', '.join(map(str, self._emitters))})"


def _together(errors: list[EmissionError]) -> EmissionError:
    waits = [error.retry_after for error in errors if error.retry_after is not None]
    return EmissionError(
        "; ".join(map(str, errors)),
        kind="; ".join(error.kind for error in errors),
        retry_after=max(waits, default=None),
    )
