"""Emitter that sends events to several emitters."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeGuard

from openlineage_facets.emitters.base_emitter import BaseEmitter, BoundedEmitter
from openlineage_facets.emitters.errors import EmissionError, EventRejected, OnError, emission_error
from openlineage_facets.emitters.protocol import EmitTarget, as_emitter, line_sender

_MEMORY_LIMIT = 10_000
"""Maximum number of partly delivered lines to remember. Retries of older ones go to all emitters."""


class MultiEmitter(BaseEmitter):
    """Sends each event to several emitters, which fail independently.

    They work concurrently: the job is delayed by the longest of their timeouts, not by the sum. To spool
    events for receivers that are down at different times, wrap each in a `SpoolEmitter` with its own folder.

    Args:
        emitters: Emitters, functions that accept an event, URLs, or paths of files.
        on_error: "log" or "raise", for failures that an emitter raises.

    Example:
        >>> MultiEmitter(ConsoleEmitter(), FileEmitter("lineage.ndjson")).emit(event)
    """

    def __init__(self, *emitters: EmitTarget[Any], on_error: OnError = "log") -> None:
        self._emitters = [as_emitter(emitter, on_error="raise") for emitter in emitters]
        self._senders = [line_sender(emitter) for emitter in self._emitters]
        self._delivered_to: dict[bytes, dict[int, EventRejected | None]] = {}  # By digest.
        super().__init__(on_error)

    def prepare_lines(self, prepare: Callable[[bytes], bytes]) -> None:
        """Add a function that changes each line before an emitter sends or stores it, to every emitter."""
        for emitter in self._emitters:
            emitter.prepare_lines(prepare)

    def emit(self, event: Any) -> None:
        """Send an event to every emitter, also if others fail.

        Raises:
            EmissionError: At least one emitter raised and `on_error` is "raise".
        """
        failed: list[EmissionError] = []

        def attempt(emitter: BaseEmitter, work: Callable[..., Any], *args: Any) -> Any:
            try:
                return work(*args)
            except Exception as error:
                failed.append(emission_error(error, f"could not emit to {emitter}"))

        # Start the background emitters, run the others, then wait for the background emitters.
        begun = [
            (emitter, attempt(emitter, emitter.start, event))
            for emitter in self._emitters
            if _is_bounded(emitter)
        ]
        for emitter in self._emitters:
            if not _is_bounded(emitter):
                attempt(emitter, emitter.emit, event)
        for bounded, wait in begun:
            if wait is not None:
                attempt(bounded, wait)
        for failure in failed if self._on_error == "log" else ():
            self._failures.undelivered(failure)
        if failed and self._on_error == "raise":
            raise _combined(failed)

    def send(self, line: bytes) -> None:
        """Deliver one line to all emitters. A retry skips those that have already received it."""
        digest = hashlib.sha256(line).digest()
        reached = self._delivered_to.pop(digest, {})
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
            while len(self._delivered_to) >= _MEMORY_LIMIT:
                self._delivered_to.pop(next(iter(self._delivered_to)), None)
            self._delivered_to[digest] = reached
            raise _combined(failed)
        rejected = [error for error in reached.values() if error is not None]
        if rejected:
            both = _combined(list(rejected))
            raise EventRejected(str(both), "; ".join(error.answer for error in rejected), kind=both.kind)

    def close(self) -> None:
        """Close every emitter, also if others fail, within the longest of their timeouts."""
        failed = []
        begin = monotonic()
        for emitter in self._emitters:
            try:
                if isinstance(emitter, BoundedEmitter):
                    emitter.close(max(0.0, emitter._wait_budget.left - (monotonic() - begin)))
                else:
                    emitter.close()
            except Exception as error:
                failed.append(emission_error(error, f"could not close {emitter}"))
        for failure in failed if self._on_error == "log" else ():
            self._failures.warn(str(failure), failure.kind)
        super().close()
        if failed and self._on_error == "raise":
            raise _combined(failed)

    def __str__(self) -> str:
        return f"MultiEmitter({', '.join(map(str, self._emitters))})"


def _is_bounded(emitter: BaseEmitter) -> TypeGuard[BoundedEmitter]:
    """Return whether an emitter delivers in the background and does not override `emit`."""
    return isinstance(emitter, BoundedEmitter) and type(emitter).emit is BoundedEmitter.emit


def _combined(errors: list[EmissionError]) -> EmissionError:
    waits = [error.retry_after for error in errors if error.retry_after is not None]
    return EmissionError(
        "; ".join(map(str, errors)),
        kind="; ".join(error.kind for error in errors),
        retry_after=max(waits, default=None),
    )
