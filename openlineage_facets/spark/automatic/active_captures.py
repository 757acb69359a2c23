"""Which runs are active in this process, and to which of them a call of the job belongs."""

from __future__ import annotations

import os
import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING

from openlineage_facets.spark.capture.lineage_capture import LineageCapture

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["ActiveCapture", "ActiveCaptures"]


class ActiveCapture:
    """The capture of an active run.

    Args:
        spark: The session of the run.
        calls: Captures calls of the job.
    """

    def __init__(self, spark: SparkSession, calls: LineageCapture) -> None:
        self.spark = spark
        self.calls = calls
        self._process = os.getpid()
        self._is_active = True

    @property
    def is_active(self) -> bool:
        """Whether the run is active; False in a forked process."""
        return self._is_active and self._process == os.getpid()

    def end(self) -> None:
        """End the run."""
        self._is_active = False


class ActiveCaptures:
    """The active runs of this process.

    A call belongs to the run that was started last in its own context: in its thread, its asyncio task, and
    everything to which their context was passed on. In a context without a run it belongs to the only active
    run, or to the only one in its session.
    """

    def __init__(self) -> None:
        self._all: list[ActiveCapture] = []
        self._lock = threading.Lock()
        self._of_context: ContextVar[tuple[ActiveCapture, ...]] = ContextVar("runs_of_context", default=())

    def add(self, capture: ActiveCapture) -> bool:
        """Add a run and enter it in the current context; return True if it is the only one."""
        with self._lock:
            self._all.append(capture)
            is_first = len(self._all) == 1
        self._of_context.set((*filter(_is_active, self._of_context.get()), capture))
        return is_first

    def remove(self, capture: ActiveCapture) -> bool:
        """End a run; return True if none is left."""
        capture.end()
        with self._lock:
            if capture in self._all:
                self._all.remove(capture)
            is_last = not self._all
        self._of_context.set(tuple(filter(_is_active, self._of_context.get())))
        return is_last

    def of_call(self, spark: SparkSession) -> ActiveCapture | None:
        """Return the run of a call in a session; None if there is none, or if it is not known."""
        entered = [capture for capture in self._of_context.get() if capture.is_active]
        if entered:
            return entered[-1]
        with self._lock:
            candidates = [capture for capture in self._all if capture.is_active]
        if len(candidates) > 1:
            candidates = [capture for capture in candidates if capture.spark is spark]
        return candidates[0] if len(candidates) == 1 else None


def _is_active(capture: ActiveCapture) -> bool:
    return capture.is_active
