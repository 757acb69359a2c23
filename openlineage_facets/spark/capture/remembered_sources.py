"""Remember sources that plans do not show: those of streams, checkpoints and predictions of models.

The plan of what a job computes from a batch or the memory table of a stream, or from a checkpoint, ends at
rows; that of predictions does not contain the model. What these were computed from is remembered while Spark
shows it, and `datasets/plan_sources.py` finds it again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Literal, TypeVar

from pyspark.sql import DataFrame

from openlineage_facets.spark.analyzed_plan import analyzed_plan
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.datasets.rdd_sources import add_checkpoint, add_stream, memory_table
from openlineage_facets.spark.datasets.sources import BatchedStream
from openlineage_facets.spark.jvm import class_of
from openlineage_facets.spark.lineage.column_lineage import checkpoint_of_frame

T = TypeVar("T")

_LIMITS = {"streams": None, "checkpoints": 1_000, "predictions": 10_000}
"""How many of each are remembered, None for all: a stream may compute a new checkpoint in each batch."""


class RememberedSources:
    """What the streams, checkpoints and predictions of a run are computed from, until the run ends.

    Args:
        guard: Runs the lineage code, and logs when checkpoints or predictions are forgotten before.
    """

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._recent: dict[str, deque[Callable[[], None]]] = {kind: deque() for kind in _LIMITS}
        self._lock = threading.Lock()

    def stream(self, action: Callable[[], T], df: DataFrame, session: CapturedSession) -> T:
        """Start a stream that writes no dataset itself, and remember the sources of its rows.

        Args:
            action: The job's own call.
            df: The streaming DataFrame.
            session: Its session.

        Returns:
            The result of the call.
        """
        stream: BatchedStream | None = None
        with self._guard.step("find the sources of the batches of a stream"):
            plan = analyzed_plan(df) if session.has_jvm else None
            if plan is not None:
                stream = BatchedStream(plan, session.sources(df))
                self.add("streams", add_stream(stream, plan))
        query = action()
        with self._guard.step("find the memory table of a stream"):
            table = None if stream is None else memory_table(session.spark, query)
            if stream is not None and table is not None:
                self.add("streams", add_stream(stream, table))
        return query

    def checkpoint(
        self, action: Callable[[], DataFrame], df: DataFrame, session: CapturedSession
    ) -> DataFrame:
        """Compute a checkpoint of a DataFrame, and remember what it is computed from.

        Args:
            action: The job's own call.
            df: The DataFrame.
            session: Its session.

        Returns:
            The result of the call.
        """
        checkpointed = action()
        with self._guard.step("find the sources of a checkpoint"):
            plan = analyzed_plan(checkpointed) if session.has_jvm else None
            checkpoint = None if plan is None else checkpoint_of_frame(df, session.sources(df))
            if plan is not None and checkpoint is not None and class_of(plan) == "LogicalRDD":
                self.add("checkpoints", add_checkpoint(plan.rdd(), checkpoint))
        return checkpointed

    def add(self, kind: Literal["streams", "checkpoints", "predictions"], forget: Callable[[], None]) -> None:
        """Remember a stream, a checkpoint or predictions, and forget the oldest ones beyond a limit.

        Args:
            kind: What is remembered.
            forget: Forgets it.
        """
        limit, recent = _LIMITS[kind], self._recent[kind]
        with self._lock:
            recent.append(forget)
            oldest = recent.popleft() if limit is not None and len(recent) > limit else None
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
            for recent in self._recent.values():
                while recent:
                    recent.popleft()()
