"""Compose and send the events of a run, RUNNING at most once per interval."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Literal

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.run.event_sender import EventSender


class RunEvents:
    """The events of one run.

    Args:
        builder: Composes the events.
        recorder: Knows whether there is new lineage to report.
        sender: Passes events to the emitter.
        guard: Runs the lineage code.
        lock: Held while an event is composed and sent.
        running_every: Minimum number of seconds between two RUNNING events.
    """

    def __init__(
        self,
        builder: RunEventBuilder,
        recorder: Recorder,
        sender: EventSender,
        guard: Guard,
        lock: AbstractContextManager[Any],
        running_every: float,
    ) -> None:
        self._builder = builder
        self._recorder = recorder
        self._sender = sender
        self._guard = guard
        self._lock = lock
        self._running_every = running_every
        self._last_running = float("-inf")
        self._closed = False

    def start(self) -> None:
        """Send START."""
        with self._lock:
            self._send("START", self._builder.start)

    def report_changes(self) -> None:
        """Send RUNNING if there is new lineage and the last one is long enough ago."""
        with self._lock:
            now = time.monotonic()
            if self._closed or now - self._last_running < self._running_every:
                return
            changed = False
            with self._guard.step("check for new lineage"):
                changed = self._recorder.reset_changes()
            if changed:
                self._last_running = now
                self._send("RUNNING", self._builder.running)

    def end(self, event_type: Literal["COMPLETE", "FAIL", "ABORT"], compose: Callable[[], Any]) -> None:
        """Send the last event, and close the emitter."""
        with self._lock:
            self._closed = True
            self._send(event_type, compose)
            self._sender.close()

    def _send(self, event_type: str, compose: Callable[[], Any]) -> None:
        event: Any = None
        with self._guard.step("report which output was written from which inputs"):
            self._recorder.add_lineage()
        with self._guard.step(f"compose the {event_type} event"):
            event = compose()
        if event is not None:
            self._sender.send(event)
