"""The lifecycle of one run: its state, its events, and the capture of what it does while it is active."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from pyspark.sql import SparkSession

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.spark.automatic.automatic_capture import AutomaticCapture
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.recorded_write import WriteRuns
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.jvm import has_jvm, indicates_lost_session, is_stopped
from openlineage_facets.spark.run.run_events import EventSender, RunEvents, RunState
from openlineage_facets.spark.run.settings import RunSettings
from openlineage_facets.spark.run.start_facets import StartFacets, WriteRunBuilders

T = TypeVar("T")


class RunLifecycle:
    """A run from its start to its end.

    Args:
        spark: The session; the active one if None.
        builder: Builder of the run's events.
        settings: Settings of the run.
        guard: Runs the lineage code.
    """

    def __init__(
        self, spark: SparkSession | None, builder: RunEventBuilder, settings: RunSettings, guard: Guard
    ) -> None:
        self._spark = spark
        self._builder = builder
        self._settings = settings
        self._guard = guard
        self.lock = threading.RLock()
        """Held while the builder is changed or an event is composed."""
        sender = EventSender(settings.emit, guard, settings.backend, settings.naming)
        self._recorder = Recorder(builder, self.lock, reports_outputs=settings.runs == "one")
        self._job_facets = JobFacets(builder, self.lock, settings.processing_type)
        self._events = RunEvents(builder, self._recorder, sender, guard, self.lock, settings.running_every)
        self._write_runs: WriteRuns | None = None
        if settings.runs == "per_write":
            builders = WriteRunBuilders(
                settings, builder.run_id, guard.producer, lambda: self.spark, guard, self.lock
            )
            self._write_runs = WriteRuns(builders.new, self._recorder.names, sender.send, self.lock)
        self._capture: LineageCapture | None = None
        self._automatic: AutomaticCapture | None = None
        self._state = RunState.NOT_STARTED
        self._process = os.getpid()

    @property
    def spark(self) -> SparkSession:
        """The session of the run; a later one if the job has stopped it."""
        if self._capture is not None:
            return self._capture.spark
        if self._spark is None:
            self._spark = SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()
        return self._spark

    @property
    def state(self) -> RunState:
        """The state of the run, from the view of this process."""
        if self._state is RunState.ACTIVE and self._process != os.getpid():
            return RunState.IN_OTHER_PROCESS
        return self._state

    def move_to_other_process(self) -> None:
        """Note that the run was started in another process."""
        self._state = RunState.IN_OTHER_PROCESS

    def start(self) -> None:
        """Start the run: send START, and begin to capture."""
        spark = self.spark
        with self.lock:
            if self.state is not RunState.NOT_STARTED:
                self._guard.warn_once("start", f"{self.state}; create a new SparkRun to start another run")
                return
            self._process = os.getpid()
            capture = LineageCapture(
                spark,
                self._recorder,
                self._job_facets,
                self._guard,
                self._events.report_changes,
                self._write_runs,
            )
            with self._guard.step("report the start of the run"):
                StartFacets(self._settings, self._guard).add_to(self._builder, spark, self._job_facets)
            self._capture = capture
            self._state = RunState.ACTIVE
            self._events.start()
            atexit.register(self._abort_at_exit)
            if self._settings.capture:
                with self._guard.step("begin the automatic capture"):
                    self._automatic = AutomaticCapture(capture)
                    self._automatic.begin()

    def end(self, event_type: Literal["COMPLETE", "FAIL", "ABORT"], compose: Callable[[], Any]) -> None:
        """End the run, if it is active.

        Args:
            event_type: The type of its last event.
            compose: Composes the last event.
        """
        state, capture = self.state, self._capture
        if state is not RunState.ACTIVE or capture is None:
            self._guard.warn_once(f"{event_type} outside the run", f"{state}; no {event_type} event is sent")
            return
        if self._automatic is not None:
            with self._guard.step("end the automatic capture"):
                self._automatic.end()
        with self.lock:
            if self._state is RunState.ENDED:  # Another thread has just ended it.
                return
            self._state = RunState.ENDED
            atexit.unregister(self._abort_at_exit)
            capture.finish(succeeded=event_type == "COMPLETE")
            self._events.end(event_type, compose)

    def captured(
        self, name: str, action: Callable[[], T], execute: Callable[[LineageCapture, Callable[[], T]], T]
    ) -> T:
        """Execute a call of the job, and capture it if the run is active; otherwise log a line.

        Args:
            name: The name of the call.
            action: The job's own call.
            execute: Captures the call, which it executes.
        """
        state, capture = self.state, self._capture
        if state is RunState.ACTIVE and capture is not None:
            return self._guard.call(action, lambda call: execute(capture, call))
        self._guard.warn_once(f"{name} outside the run", f"{state}; lineage of this call is not captured")
        return action()

    def begin_batches(self) -> Callable[[], None] | None:
        """Record that the job processes a stream.

        Returns:
            What to call after each batch; None if Spark Connect processes the batches in another process.
        """
        with self._guard.step("record the processing type"):
            self._job_facets.mark_streaming()
        is_local = True
        with self._guard.step("find the JVM of the session"):
            is_local = has_jvm(self.spark)
        return self._events.report_changes if is_local else None

    def is_stopped(self, error: Exception) -> bool:
        """Return True if an error was raised because Spark was stopped."""
        with self._guard.step("check whether Spark was stopped"):
            return is_stopped(self.spark) or indicates_lost_session(error)
        return False

    def _abort_at_exit(self) -> None:
        """Abort a run that is still active when Python exits."""
        if self._process == os.getpid():
            self.end("ABORT", self._builder.abort)
