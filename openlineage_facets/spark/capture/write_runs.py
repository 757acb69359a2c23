"""Runs of single writes, as children of the run, for backends that do not read its lineage facet."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timezone
from typing import Any

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.capture.dataset_names import DatasetNames, Identity
from openlineage_facets.spark.capture.recorder import Recorder


class WriteRun:
    """The run of one write.

    Args:
        builder: Builder of its events.
        recorder: Records its inputs and its output.
        began: When the write began, in milliseconds since 1970; 0 if that is unknown.
        send: Receives its events.
        lock: Held while an event is composed and sent.
    """

    def __init__(
        self,
        builder: RunEventBuilder,
        recorder: Recorder,
        began: int,
        send: Callable[[Any], None],
        lock: AbstractContextManager[Any],
    ) -> None:
        self._builder = builder
        self.recorder = recorder
        """Records the inputs and the output of the write."""
        self.continues = False
        """The write is that of a stream, which ends with the run that has started it."""
        self._began = datetime.fromtimestamp(began / 1000, timezone.utc) if began else None
        self._send = send
        self._lock = lock
        self._has_started = self._has_ended = False

    def start(self) -> None:
        """Send START, with the time when the write began."""
        with self._lock:
            self._has_started = True
            self._send(self._builder.start(self._began))

    def complete(self) -> None:
        """Send COMPLETE."""
        self._end(self._builder.complete)

    def fail(self, error: BaseException | None = None) -> None:
        """Send FAIL."""
        self._end(lambda: self._builder.fail(error))

    def abort(self) -> None:
        """Send ABORT."""
        self._end(self._builder.abort)

    @property
    def has_ended(self) -> bool:
        """The last event was sent."""
        return self._has_ended

    def _end(self, compose: Callable[[], Any]) -> None:
        """Send the last event, after START if the output was not known before."""
        with self._lock:
            if self._has_ended:
                return
            self._has_ended = True
            if not self._has_started:
                self.start()
            self._send(compose())


class WriteRuns:
    """The runs of the writes of one run.

    Args:
        new_builder: Returns the builder for the run of a write of a dataset.
        names: The names that the user passed for datasets.
        send: Receives the events.
        lock: Held while a builder is changed or an event is composed.
    """

    def __init__(
        self,
        new_builder: Callable[[Identity], RunEventBuilder],
        names: DatasetNames,
        send: Callable[[Any], None],
        lock: AbstractContextManager[Any],
    ) -> None:
        self._new_builder = new_builder
        self._names = names
        self._send = send
        self._lock = lock
        self._unfinished: list[WriteRun] = []

    def new(self, output: Identity, began: int) -> WriteRun:
        """Return the run of a write, which is not started yet.

        Args:
            output: The dataset that it writes.
            began: When it began, in milliseconds since 1970.
        """
        builder = self._new_builder(output)
        run = WriteRun(builder, Recorder(builder, self._lock, self._names), began, self._send, self._lock)
        with self._lock:
            self._unfinished = [run for run in self._unfinished if not run.has_ended]
            self._unfinished.append(run)
        return run

    def finish(self, *, succeeded: bool) -> None:
        """End the runs of streams, and abort those of writes that are still being executed.

        Args:
            succeeded: The run that has started the streams ends with COMPLETE.
        """
        with self._lock:
            unfinished, self._unfinished = self._unfinished, []
        for run in unfinished:
            if succeeded and run.continues:
                run.complete()
            else:
                run.abort()
