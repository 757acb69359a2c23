"""Count the rows that the streams of a run have read and written."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.jvm import session_setting
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.lake_commits import counts_of_delta_stream
from openlineage_facets.spark.metrics.scans import Scan, scan_of_stream
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset

_KEPT = "spark.sql.streaming.numRecentProgressUpdates"


@dataclass(frozen=True)
class StartedStream:
    """A stream that a run has started.

    Args:
        session: Its session.
        query: The StreamingQuery.
        write: Records what it writes.
        inputs: What it reads.
        output: What it writes.
    """

    session: CapturedSession
    query: Any
    write: RecordedWrite
    inputs: Sequence[SparkDataset]
    output: SparkDataset


class StreamCounts:
    """The started streams of a run.

    Args:
        recorder: Records inputs and outputs.
        guard: Runs the lineage code.
    """

    def __init__(self, recorder: Recorder, guard: Guard) -> None:
        self._recorder = recorder
        self._guard = guard
        self._streams: list[tuple[StartedStream, int]] = []
        """The streams, and of how many batches Spark keeps the progress."""
        self._lock = threading.Lock()

    def add(self, stream: StartedStream) -> None:
        """Add a stream that was started."""
        batches_kept = int(session_setting(stream.session.spark, _KEPT) or 100)
        with self._lock:
            self._streams.append((stream, batches_kept))

    def finish(self) -> None:
        """Record how many rows the streams have read and written so far."""
        with self._lock:
            streams, self._streams = self._streams, []
        written: dict[Identity, Counts] = {}
        for stream, batches_kept in streams:
            rows = self._rows(stream, batches_kept)
            stream.write.add_scans(
                stream.inputs, self._recorder.inputs.add_scans(stream.inputs, _scans(stream, rows))
            )
            identity, counts = stream.output.identity, self._written(stream, rows)
            stream.write.end_stream(identity, counts)
            written[identity] = written.get(identity, Counts(rows=0)) + counts
        for identity, counts in written.items():
            self._recorder.end_streams(identity, counts)

    def _written(self, stream: StartedStream, rows: StreamRows) -> Counts:
        """Return what a stream has written, from the commits of a sink that does not report it."""
        if rows.written is None and stream.session.has_jvm:
            with self._guard.step("count the rows that a stream has written"):
                query, began = str(stream.query.id), stream.write.call.began
                counts = counts_of_delta_stream(stream.session.spark, stream.output, query, began)
                return counts or Counts()
        return Counts(rows=rows.written)

    def _rows(self, stream: StartedStream, batches_kept: int) -> StreamRows:
        with self._guard.step("count the rows of a stream"):
            try:
                return rows_of_stream(stream.query, batches_kept)
            except LookupError as error:
                self._guard.warn_once(
                    "count the rows of a long stream",
                    f"the rows of the stream into {stream.output.name} are not counted: {error}; "
                    f"increase {_KEPT}",
                )
        return StreamRows()


def _scans(stream: StartedStream, rows: StreamRows) -> list[Scan]:
    scans = [scan_of_stream(source, number) for source, number in rows.read.items()]
    if len(scans) == 1 and len(stream.inputs) == 1:  # Not all sources have a location in their description.
        location = stream.inputs[0].location
        return [Scan(scans[0].name, (location,) if location else (), scans[0].counts)]
    return scans


_NOT_COUNTED = -1
"""The rows written by a sink that does not count them."""

_Progress: TypeAlias = Mapping[str, Any]
"""What Spark reports about a batch."""


@dataclass(frozen=True)
class StreamRows:
    """How many rows a query has read and written.

    Args:
        read: Rows by source, such as `FileStreamSource[file:/lake/orders]`.
        written: Rows written; None if the sink does not count them.
    """

    read: Mapping[str, int] = field(default_factory=dict)
    written: int | None = None


def rows_of_stream(query: Any, kept: int) -> StreamRows:
    """Return what a query has read and written since it was started.

    Args:
        query: The StreamingQuery, which may be active, stopped or failed.
        kept: Spark keeps the progress of fewer batches than this.

    Raises:
        LookupError: Spark may have discarded the progress of earlier batches.
    """
    batches = [_as_mapping(progress) for progress in query.recentProgress]
    if len(batches) >= kept - 1:
        raise LookupError(f"Spark keeps the progress of only {kept - 1} batches")
    read: dict[str, int] = {}
    for batch in batches:
        for source in batch["sources"]:
            name = str(source["description"])
            read[name] = read.get(name, 0) + int(source["numInputRows"])
    written = [int(batch["sink"].get("numOutputRows", _NOT_COUNTED)) for batch in batches if _wrote(batch)]
    return StreamRows(read, sum(written) if written and _NOT_COUNTED not in written else None)


def _as_mapping(progress: Any) -> _Progress:
    text = getattr(progress, "json", None)
    found: _Progress = progress if text is None else json.loads(text)
    return found


def _wrote(batch: _Progress) -> bool:
    """Return whether a batch was written; otherwise Spark only looked for new data."""
    return "addBatch" in batch["durationMs"]
