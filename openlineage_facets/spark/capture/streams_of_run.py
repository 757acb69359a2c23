"""The streams of a run whose batches are written by a function."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.datasets.sources import BatchedStream
from openlineage_facets.spark.datasets.streams_of_batches import add_batched_stream, remove_batched_stream
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
