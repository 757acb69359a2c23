"""The way of a run's events to whatever takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openlineage_facets.emitters import as_emitter
from openlineage_facets.spark.guard import Guard

__all__ = ["Sender"]


class Sender:
    """Hands events to an emitter, which is looked up when the first event goes.

    Args:
        emit: An emitter, a callable, or None for what the environment says.
        guard: What keeps failures from the job.

    Raises:
        TypeError: What was given takes no events.
    """

    def __init__(self, emit: Any, guard: Guard) -> None:
        if emit is not None:
            try:
                as_emitter(emit)
            except TypeError as error:
                raise TypeError(f"emit: {error}; FileEmitter(path) writes to a file") from None
        self._given = emit
        self._guard = guard
        self._emitter: Any = None

    def send(self, kind: str, event: Any) -> None:
        """Emit an event.

        Args:
            kind: What the log calls it.
            event: The event.
        """
        if self._emitter is None:
            self._emitter = self._guard.call("find an emitter", self._find, default=_nowhere)
        take: Callable[[Any], object] = getattr(self._emitter, "emit", self._emitter)
        self._guard.call(f"emit the {kind} event", take, event, default=None)

    def close(self) -> None:
        """Close the emitter if it is the run's own; the caller's may be of use to other runs."""
        if self._given is None and self._emitter is not None:
            emitter, self._emitter = self._emitter, None
            self._guard.call("close the emitter", getattr(emitter, "close", lambda: None), default=None)

    def _find(self) -> Any:
        if self._given is not None:
            return self._given
        from openlineage_facets.emitters import emitter_from_environment

        return emitter_from_environment()


def _nowhere(event: Any) -> None:
    """Take an event that nothing can take."""
