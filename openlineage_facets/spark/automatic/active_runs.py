"""The active runs of a process, and which of them a call or a query belongs to.

A call belongs to the run that was started last in its own context: in its thread, its asyncio task, and
everything to which their context was passed on. A query, which Spark reports without a context, and a call
in a context without a run belong to

1. the run whose job tag they have: a thread has the tags of the runs that it has started, and passes them on
   to the threads that it starts with `pyspark.InheritableThread`, and to those of the JVM;
2. no run, if they have the tags of other runs only: those have ended, as for a stream that outlives its run;
3. the only active run, or the only one in their session.

To ask for tags takes calls to the JVM, so it is only done if 2 or 3 could be wrong without them.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from uuid import uuid4

from pyspark.sql import SparkSession

from openlineage_facets.spark.capture.lineage_capture import LineageCapture

_TAG = "openlineage-facets-run-"
"""How the job tags of runs begin."""


class UnknownRunError(LookupError):
    """Several runs are active, and nothing shows which of them a call or a query belongs to."""


class ActiveRun:
    """A run whose calls and queries are captured.

    Args:
        calls: Captures calls of the job.
    """

    def __init__(self, calls: LineageCapture) -> None:
        self.calls = calls
        self.tag = f"{_TAG}{uuid4()}"
        """A job tag of the thread that has started the run, which Spark passes on to threads of its own."""
        self.tagged_thread: int | None = None
        """The thread that has the job tag."""
        self.began = milliseconds()
        self.begins_late = False
        """Spark still delivers queries from before the run."""
        self.is_listening = False
        """Spark reports the queries of the run."""
        self.is_ending = False
        """The run waits for its last queries."""
        self.last_end = 0
        """When the last of its calls has ended, or the run itself."""
        self._process = os.getpid()
        self._is_active = True

    @property
    def spark(self) -> SparkSession:
        """The session of the run; a later one if the job has stopped it."""
        return self.calls.spark

    @property
    def is_active(self) -> bool:
        """Whether the run is active; False in a forked process."""
        return self._is_active and self._process == os.getpid()

    def note_end(self) -> None:
        """Note that a call, or the run, has ended."""
        self.last_end = milliseconds()

    def deactivate(self) -> None:
        """Let no more calls and queries belong to the run."""
        self._is_active = False


class ActiveRuns:
    """The active runs of this process, and those that have ended as long as their calls may be reported."""

    def __init__(self) -> None:
        self._all: list[ActiveRun] = []
        self._ended: list[ActiveRun] = []
        self._last_end = 0
        self._lock = threading.Lock()
        self._of_context: ContextVar[tuple[ActiveRun, ...]] = ContextVar("runs_of_context", default=())

    def add(self, run: ActiveRun) -> None:
        """Add a run and enter it in the current context."""
        with self._lock:
            self._all.append(run)
        self._of_context.set((*filter(_is_active, self._of_context.get()), run))

    def remove(self, run: ActiveRun) -> bool:
        """End a run; return True if none is left."""
        run.deactivate()
        run.note_end()
        with self._lock:
            self._last_end = run.last_end
            if run in self._all:
                self._all.remove(run)
                if run.is_listening:  # Otherwise Spark reports none of its calls.
                    self._ended.append(run)
            is_last = not any(map(_is_active, self._all))
            if is_last:
                self._ended.clear()
        self._of_context.set(tuple(filter(_is_active, self._of_context.get())))
        return is_last

    def all(self) -> list[ActiveRun]:
        """Return the active runs, in the order of their start."""
        with self._lock:
            return [run for run in self._all if run.is_active]

    def with_ended(self) -> list[ActiveRun]:
        """Return the active runs and those that have ended, whose calls Spark may still report."""
        with self._lock:
            return [*self._ended, *(run for run in self._all if run.is_active)]

    def forget_before(self, moment: int) -> None:
        """Forget the calls, and the runs, that only queries from before a moment may belong to."""
        for run in self.with_ended():
            run.calls.reported.forget_before(moment)
        with self._lock:
            self._ended = [
                run for run in self._ended if run.last_end >= moment or run.calls.reported.unfinished()
            ]

    def of_call(
        self, spark: SparkSession | None, find_tags: Callable[[], Collection[str]]
    ) -> ActiveRun | None:
        """Return the run of a call in the current thread; None if it belongs to none.

        Args:
            spark: The session of the call; None if it is unknown.
            find_tags: Returns the job tags of the thread.

        Raises:
            UnknownRunError: The run is unknown.
        """
        entered = [run for run in self._of_context.get() if run.is_active]
        if entered:
            return entered[-1]
        runs = self.all()
        in_session = runs if spark is None else [run for run in runs if run.spark is spark]
        return self.chosen(runs, in_session, find_tags)

    def chosen(
        self,
        candidates: Sequence[ActiveRun],
        in_session: Sequence[ActiveRun],
        find_tags: Callable[[], Collection[str]],
    ) -> ActiveRun | None:
        """Return the run of a call or a query outside of a known context; None if it belongs to none.

        Args:
            candidates: The runs that were active.
            in_session: Those of them in the session of the call.
            find_tags: Returns the job tags of the call.

        Raises:
            UnknownRunError: The run is unknown.
        """
        if not candidates:
            return None
        if len(candidates) == 1 and not self._may_be_of_ended(candidates[0], bool(in_session)):
            return candidates[0]
        tags = find_tags()
        tagged = [run for run in candidates if run.tag in tags]
        if tagged:
            return tagged[-1]  # Of nested runs the inner one.
        if any(tag.startswith(_TAG) for tag in tags):
            return None
        remaining = candidates if len(candidates) == 1 else in_session
        if len(remaining) != 1:
            raise UnknownRunError
        return remaining[0]

    def _may_be_of_ended(self, run: ActiveRun, is_in_session: bool) -> bool:
        """Return True if what seems to belong to a run may be that of one that has ended.

        Streams, which have sessions of their own, may outlive a run that has ended before this one began.
        """
        return self._last_end >= run.began or (self._last_end > 0 and not is_in_session)


def _is_active(run: ActiveRun) -> bool:
    return run.is_active


def milliseconds() -> int:
    """Return the time in milliseconds since 1970, as Spark does."""
    return int(time.time() * 1000)
