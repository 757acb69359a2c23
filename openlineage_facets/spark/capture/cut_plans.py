"""What a run remembers of plans that Spark has cut: streams, checkpoints, and predictions of models."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from typing import Literal

from openlineage_facets.spark.capture.guard import Guard

_LIMITS = {"checkpoints": 1_000, "predictions": 10_000}
"""How many of each are remembered: a stream may compute a new one in each batch."""


class CutPlans:
    """The streams, checkpoints and predictions of a run, which are forgotten at its end.

    Args:
        guard: Logs when checkpoints or predictions are forgotten before.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._streams = ExitStack()
        self._recent: dict[str, deque[Callable[[], None]]] = {kind: deque() for kind in _LIMITS}
        self._lock = threading.Lock()

    def add_stream(self, forget: Callable[[], None]) -> None:
        """Remember a stream whose batches are written by a function.

        Args:
            forget: Forgets it.
        """
        with self._lock:
            self._streams.callback(forget)

    def add(self, kind: Literal["checkpoints", "predictions"], forget: Callable[[], None]) -> None:
        """Remember a checkpoint or predictions, and forget the oldest ones beyond a limit.

        Args:
            kind: What is remembered.
            forget: Forgets it.
        """
        limit, recent = _LIMITS[kind], self._recent[kind]
        with self._lock:
            recent.append(forget)
            oldest = recent.popleft() if len(recent) > limit else None
        if oldest is not None:
            oldest()
            self._guard.warn_once(
                f"remember all {kind}",
                f"only the newest {limit:,} {kind} of the run are remembered; the inputs of what is computed "
                "from earlier ones are not captured",
            )

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._streams.close()
            for recent in self._recent.values():
                while recent:
                    recent.popleft()()
