"""The checkpoints of a run, and its streams whose batches are written by a function."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.datasets.rdd_sources import (
    add_batched_stream,
    add_checkpoint,
    remove_batched_stream,
    remove_checkpoint,
)
from openlineage_facets.spark.datasets.sources import BatchedStream
from openlineage_facets.spark.jvm import class_of
from openlineage_facets.spark.lineage.column_lineage import checkpoint_of_frame
from openlineage_facets.spark.plans.analyzed_plan import analyzed_plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class StreamsOfRun:
    """Let the plans of batches be connected with those of their streams, as long as the run is active."""

    def __init__(self) -> None:
        self._streams: list[BatchedStream] = []
        self._lock = threading.Lock()

    def add(self, session: CapturedSession, df: DataFrame) -> None:
        """Add a streaming DataFrame before its first batch."""
        plan = analyzed_plan(df) if session.has_jvm else None
        if plan is not None:
            stream = BatchedStream(plan, session.sources(df))
            add_batched_stream(stream)
            with self._lock:
                self._streams.append(stream)

    def finish(self) -> None:
        """Forget the streams."""
        with self._lock:
            streams, self._streams = self._streams, []
        for stream in streams:
            remove_batched_stream(stream)


class CheckpointsOfRun:
    """Let the plans of checkpoints be connected with those before, as long as the run is active."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._lock = threading.Lock()

    def add(self, session: CapturedSession, df: DataFrame, checkpointed: DataFrame) -> None:
        """Add a DataFrame and its checkpoint."""
        plan = analyzed_plan(checkpointed) if session.has_jvm else None
        checkpoint = None if plan is None else checkpoint_of_frame(df, session.sources(df))
        if plan is not None and checkpoint is not None and class_of(plan) == "LogicalRDD":
            key = add_checkpoint(plan.rdd(), checkpoint)
            with self._lock:
                self._keys.append(key)

    def finish(self) -> None:
        """Forget the checkpoints."""
        with self._lock:
            keys, self._keys = self._keys, []
        for key in keys:
            remove_checkpoint(key)
