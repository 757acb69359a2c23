"""The state of a run, and its events: compose them, and pass them to the emitter."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import Enum, auto
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.emitters import EmitTarget, as_emitter
from openlineage_facets.emitters.event_lines import event_line, parsed_event
from openlineage_facets.generated.open_lineage import RunEvent
from openlineage_facets.naming.naming_rules import VARIABLE, Naming, NamingError, NamingInput, naming_of
from openlineage_facets.spark.capture.guard import Guard, is_interrupt

if TYPE_CHECKING:
    from openlineage_facets.spark.capture.recorder import Recorder
    from openlineage_facets.validation.backends.catalogue import Backends


class EventSender:
    """Pass events to an emitter.

    Args:
        emit: What `SparkRun` accepts. Without it, the emitter that the environment configures is created with
            the first event.
        guard: Runs the emitter.
        backend: The backends for which events are repaired.
        naming: Rules for the names of datasets, or the path of a naming file.

    Raises:
        TypeError: `emit` is neither an emitter, a callable, a URL nor a path.
        ValueError: Events cannot be emitted to this URL or path, a backend is unknown, or the naming file is
            invalid.
        ImportError: `emit` is the URL of an object store whose driver is not installed.
    """

    def __init__(
        self,
        emit: EmitTarget[RunEvent] | None,
        guard: Guard,
        backend: Backends | None = None,
        naming: NamingInput | None = None,
    ) -> None:
        self._guard = guard
        self._naming = _naming(naming, guard)
        self._repairs = _repairs(backend) if backend else None
        self._emitter: Any = None
        # Other runs may use an emitter that the user passed.
        self._closes_emitter = emit is None or isinstance(emit, (str, PathLike))
        if emit is not None:
            try:
                emitter = as_emitter(emit)
            except (TypeError, ValueError, ImportError) as error:
                raise type(error)(f"emit: {error}") from None
            if self._closes_emitter:
                emitter.summarize_failures(self._warn_of_undelivered)
            # The errors of a user's emitter are logged by the guard.
            self._emitter = emitter if self._closes_emitter else emit

    def send(self, event: Any) -> None:
        """Emit an event."""
        if self._emitter is None:
            emitter: Any = _discard
            with self._guard.step("create the emitter"):
                from openlineage_facets.emitters import SpoolEmitter, emitter_from_environment

                emitter = emitter_from_environment()
                if not isinstance(emitter, SpoolEmitter):  # It keeps what it cannot deliver.
                    emitter.summarize_failures(self._warn_of_undelivered)
            self._emitter = emitter
        # An event that cannot be changed is emitted as it is.
        with self._guard.step("rename datasets"):
            event = self._renamed(event)
        with self._guard.step("repair an event for its backends"):
            event = self._repaired(event)
        with self._guard.step("emit an event"):
            getattr(self._emitter, "emit", self._emitter)(event)

    def _renamed(self, event: Any) -> Any:
        if self._naming is None:
            return event
        from openlineage_facets.state.renaming import renamed_event

        document = json.loads(event_line(event))
        renamed = renamed_event(document, self._naming)
        return event if renamed == document else parsed_event(json.dumps(renamed).encode())

    def _repaired(self, event: Any) -> Any:
        if self._repairs is None:
            return event
        line = event_line(event)
        repaired = self._repairs(line)
        return event if repaired is line else parsed_event(repaired)

    def close(self) -> None:
        """Close the emitter unless the user passed it."""
        if self._closes_emitter and self._emitter is not None:
            with self._guard.step("close the emitter"):
                getattr(self._emitter, "close", lambda: None)()

    def _warn_of_undelivered(self, summary: str) -> None:
        self._guard.warn_once(
            "deliver the events",
            f"{summary}; to keep such events for openlineage-facets replay, set OPENLINEAGE_SPOOL_DIR "
            "or emit to SpoolEmitter(URL, FOLDER)",
        )


def _naming(naming: NamingInput | None, guard: Guard) -> Naming | None:
    if naming is None and VARIABLE not in os.environ:
        return None
    if naming is not None:
        try:
            return naming_of(naming)
        except NamingError as error:
            raise NamingError(f"naming: {error}") from None
    with guard.step("read the naming file"):
        return naming_of(None)
    return None


def _repairs(backend: Backends) -> Callable[[bytes], bytes]:
    from openlineage_facets.emitters import BackendRepairs
    from openlineage_facets.validation.backends.profile import BackendError

    try:
        return BackendRepairs(backend)
    except BackendError as error:
        raise BackendError(f"backend: {error}") from None


def _discard(event: Any) -> None:
    """Discard an event because there is no emitter."""


class RunState(Enum):
    """State of a run, from the view of the current process."""

    NOT_STARTED = auto()
    ACTIVE = auto()
    ENDED = auto()
    IN_OTHER_PROCESS = auto()
    """The run was started in another process, from which this one was forked or the run was pickled."""

    def __str__(self) -> str:
        return _DESCRIPTIONS[self]


_DESCRIPTIONS = {
    RunState.NOT_STARTED: "the run was not started",
    RunState.ACTIVE: "the run was already started",
    RunState.ENDED: "the run has ended",
    RunState.IN_OTHER_PROCESS: "the run was started in another process",
}


def is_success(error: BaseException | None) -> bool:
    """Return True without an error, and for `sys.exit()` and `sys.exit(0)`."""
    return error is None or (isinstance(error, SystemExit) and error.code in (None, 0))


def is_cancelled(error: BaseException | None) -> bool:
    """Return True if someone has stopped the job, for example with Ctrl-C, instead of an error in it."""
    if isinstance(error, (Exception, SystemExit)):
        return is_interrupt(error)
    return error is not None


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
                changed = self._recorder.facets.reset_changes()
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
