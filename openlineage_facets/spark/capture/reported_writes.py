"""Decide whether a write was already reported by the call of the job that made it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from openlineage_facets.spark.metrics.scans import is_at_or_below
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset

_inside: ContextVar[bool] = ContextVar("inside_captured_call", default=False)

_MAX_CALLS = 10_000
"""How many calls are remembered if nothing asks for them."""


def inside_captured_call() -> bool:
    """Return True while a call is captured, so that the calls which it makes itself are not."""
    return _inside.get()


@dataclass
class CapturedCall:
    """A call of the job whose lineage is captured by the call itself, or a command that Spark has reported.

    Args:
        began: When it began, in milliseconds since 1970; 0 if that is unknown.
        ended: When it ended; None while it is executed.
        outputs: The datasets that it writes, as far as they are known.
        is_script: It executes statements that Spark reports one by one.
        folder: A folder that it saves or loads as a whole.
    """

    began: int
    ended: int | None = None
    outputs: set[Identity] = field(default_factory=set)
    is_script: bool = False
    folder: str | None = None

    def writes(self, dataset: SparkDataset) -> None:
        """Note a dataset that the call writes."""
        self.outputs.add(dataset.identity)

    def uses_folder(self, dataset: SparkDataset) -> None:
        """Note a folder that the call saves or loads, with everything in it."""
        self.outputs.add(dataset.identity)
        self.folder = dataset.location

    def has_in_folder(self, dataset: SparkDataset) -> bool:
        """Return True if a dataset is in the folder that the call saves or loads."""
        location = dataset.location
        return self.folder is not None and location is not None and is_at_or_below(location, self.folder)

    def was_running_at(self, moment: int) -> bool:
        """Return True if the call was being executed at a moment."""
        return self.began <= moment and (self.ended is None or moment <= self.ended)


class ReportedWrites:
    """The calls of one run that have captured their own writes.

    Spark reports every write, also those of captured calls. A report belongs to a captured call if Spark
    began it during the call, and if it writes the same dataset: other threads may write at the same time.
    """

    def __init__(self) -> None:
        self.call_ended: Callable[[], None] = lambda: None
        """Called when a call has ended."""
        self._calls: deque[CapturedCall] = deque(maxlen=_MAX_CALLS)
        self._lock = threading.Lock()

    @contextmanager
    def call(self) -> Iterator[CapturedCall]:
        """Note a call of the job for as long as it is executed."""
        call = CapturedCall(_now())
        with self._lock:
            self._calls.append(call)
        token = _inside.set(True)
        try:
            yield call
        finally:
            _inside.reset(token)
            call.ended = _now()
            self.call_ended()

    def unfinished(self) -> list[CapturedCall]:
        """Return the calls that are still being executed."""
        with self._lock:
            return [call for call in self._calls if call.ended is None]

    def may_have_reported(self, moment: int) -> bool:
        """Return True if a call that reports what it defines was being executed at a moment."""
        return any(not call.is_script for call in self._running_at(moment))

    def has_reported(self, dataset: SparkDataset, moment: int) -> bool:
        """Return True if a write of a dataset, begun at a moment, was reported by a call."""
        identity = dataset.identity
        return any(
            identity in call.outputs or call.has_in_folder(dataset) for call in self._running_at(moment)
        )

    def uses_folder_of(self, dataset: SparkDataset, moment: int) -> bool:
        """Return True if a call, executed at a moment, saves or loads the folder of a dataset as a whole."""
        return any(call.has_in_folder(dataset) for call in self._running_at(moment))

    def _running_at(self, moment: int) -> list[CapturedCall]:
        """Return the calls that were being executed at a moment."""
        with self._lock:
            return [call for call in self._calls if call.was_running_at(moment)]

    def forget_before(self, moment: int) -> None:
        """Forget the calls that ended before a moment."""
        with self._lock:
            remaining = [call for call in self._calls if call.ended is None or call.ended >= moment]
            self._calls = deque(remaining, maxlen=_MAX_CALLS)


def _now() -> int:
    return int(time.time() * 1000)
