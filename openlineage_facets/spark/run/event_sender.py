"""Pass the events of a run to its emitter."""

from __future__ import annotations

from typing import Any

from openlineage_facets.emitters import as_emitter
from openlineage_facets.spark.capture.guard import Guard

__all__ = ["EventSender"]


class EventSender:
    """Pass events to an emitter, which is created with the first event.

    Args:
        emit: An emitter or a callable; by default what the environment configures.
        guard: Runs the emitter.

    Raises:
        TypeError: `emit` is neither an emitter nor a callable.
    """

    def __init__(self, emit: Any, guard: Guard) -> None:
        if emit is not None:
            try:
                as_emitter(emit)
            except TypeError as error:
                raise TypeError(f"emit: {error}; FileEmitter(path) writes to a file") from None
        self._user_emitter = emit
        self._guard = guard
        self._emitter: Any = None

    def send(self, event_type: str, event: Any) -> None:
        """Emit an event.

        Args:
            event_type: Its type, for log messages.
            event: The event.
        """
        if self._emitter is None:
            emitter: Any = _discard
            with self._guard.step("create the emitter"):
                emitter = self._new_emitter()
            self._emitter = emitter
        with self._guard.step(f"emit the {event_type} event"):
            getattr(self._emitter, "emit", self._emitter)(event)

    def close(self) -> None:
        """Close the emitter unless the user passed it, since other runs may use it, too."""
        if self._user_emitter is None and self._emitter is not None:
            emitter, self._emitter = self._emitter, None
            with self._guard.step("close the emitter"):
                getattr(emitter, "close", lambda: None)()

    def _new_emitter(self) -> Any:
        if self._user_emitter is not None:
            return self._user_emitter
        from openlineage_facets.emitters import emitter_from_environment

        return emitter_from_environment()


def _discard(event: Any) -> None:
    """Discard an event because there is no emitter."""
