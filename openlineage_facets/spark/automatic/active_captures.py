"""Which runs are active in this process, and to which of them a call or a query belongs."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection
from contextvars import ContextVar
from typing import TYPE_CHECKING

from openlineage_facets.spark.capture.lineage_capture import LineageCapture

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class ActiveCapture:
    """The capture of an active run.

    Args:
        spark: The session of the run.
        calls: Captures calls of the job.
        tag: A job tag of the thread that has started the run, which Spark passes on to threads of its own.
    """

    def __init__(self, spark: SparkSession, calls: LineageCapture, tag: str) -> None:
        self.spark = spark
        self.calls = calls
        self.tag = tag
        self.began = int(time.time() * 1000)
        self.tagged_thread: int | None = None
        """The thread that has the job tag."""
        self.is_listening = False
        """Spark reports the queries of the run."""
        self.is_ending = False
        """The run waits for its last queries."""
        self._process = os.getpid()
        self._is_active = True

    @property
    def is_active(self) -> bool:
        """Whether the run is active; False in a forked process."""
        return self._is_active and self._process == os.getpid()

    def move_to(self, spark: SparkSession) -> None:
        """Continue in a session of another Spark application, because the job has stopped that of the run."""
        self.spark = spark
        self.calls.move_to(spark)

    def end(self) -> None:
        """End the run."""
        self._is_active = False


class ActiveCaptures:
    """The active runs of this process.

    A call belongs to the run that was started last in its own context: in its thread, its asyncio task, and
    everything to which their context was passed on. In a context without a run it belongs to the only active
    run, or to the run whose job tag its thread has inherited, or to the only run in its session.
    """

    def __init__(self) -> None:
        self._all: list[ActiveCapture] = []
        self._lock = threading.Lock()
        self._of_context: ContextVar[tuple[ActiveCapture, ...]] = ContextVar("runs_of_context", default=())

    def add(self, capture: ActiveCapture) -> None:
        """Add a run and enter it in the current context."""
        with self._lock:
            self._all.append(capture)
        self._of_context.set((*filter(_is_active, self._of_context.get()), capture))

    def remove(self, capture: ActiveCapture) -> bool:
        """End a run; return True if none is left."""
        capture.end()
        with self._lock:
            if capture in self._all:
                self._all.remove(capture)
            is_last = not any(map(_is_active, self._all))
        self._of_context.set(tuple(filter(_is_active, self._of_context.get())))
        return is_last

    def all(self) -> list[ActiveCapture]:
        """Return the active runs, in the order of their start."""
        with self._lock:
            return [capture for capture in self._all if capture.is_active]

    def of_call(self, spark: SparkSession, find_tags: Callable[[], Collection[str]]) -> ActiveCapture | None:
        """Return the run of a call in the current thread; None if there is none, or if it is unknown.

        Args:
            spark: The session of the call.
            find_tags: Returns the job tags of the thread.
        """
        entered = [capture for capture in self._of_context.get() if capture.is_active]
        if entered:
            return entered[-1]
        return self.chosen(self.all(), lambda capture: capture.spark is spark, find_tags)

    def chosen(
        self,
        candidates: list[ActiveCapture],
        is_in_session: Callable[[ActiveCapture], bool],
        find_tags: Callable[[], Collection[str]],
    ) -> ActiveCapture | None:
        """Return the run of a call or a query outside of a known context.

        Args:
            candidates: The runs that were active.
            is_in_session: Returns True if a run is in the session of the call.
            find_tags: Returns the job tags of the call.
        """
        if len(candidates) > 1:
            tags = find_tags()
            tagged = [capture for capture in candidates if capture.tag in tags]
            if tagged:
                return tagged[-1]  # Of nested runs the inner one.
            candidates = [capture for capture in candidates if is_in_session(capture)]
        return candidates[0] if len(candidates) == 1 else None


def _is_active(capture: ActiveCapture) -> bool:
    return capture.is_active
