"""Find out what a write did, after it: Spark's metrics, commits of lake tables, the rows of streams."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.recorder import FinishedWrite, Recorder
from openlineage_facets.spark.capture.write_targets import WriteTarget
from openlineage_facets.spark.jvm import JavaObject
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.lake_commits import Commit, counts_of_delta_stream, newest_commit
from openlineage_facets.spark.metrics.scans import Scan, scan_of_stream
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics, ActionStart
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset, change_made

_KEPT = "spark.sql.streaming.numRecentProgressUpdates"


@dataclass(frozen=True)
class _Stream:
    session: CapturedSession
    query: Any
    began: int
    kept: int
    write: RecordedWrite
    inputs: Sequence[SparkDataset]
    output: SparkDataset


class StreamResults:
    """The started streams of a run.

    Args:
        recorder: Records inputs and outputs.
        guard: Runs the lineage code.
    """

    def __init__(self, recorder: Recorder, guard: Guard) -> None:
        self._recorder = recorder
        self._guard = guard
        self._streams: list[_Stream] = []
        self._lock = threading.Lock()

    def add(
        self,
        session: CapturedSession,
        query: Any,
        began: int,
        write: RecordedWrite,
        inputs: Sequence[SparkDataset],
        output: SparkDataset,
    ) -> None:
        """Add a stream that was started.

        Args:
            session: Its session.
            query: The StreamingQuery.
            began: When it was started, in milliseconds since 1970.
            write: Records what it writes.
            inputs: What it reads.
            output: What it writes.
        """
        batches_kept = int(session.setting(_KEPT, "100"))
        with self._lock:
            self._streams.append(_Stream(session, query, began, batches_kept, write, inputs, output))

    def finish(self) -> None:
        """Record how many rows the streams have read and written so far."""
        with self._lock:
            streams, self._streams = self._streams, []
        written: dict[Identity, Counts] = {}
        for stream in streams:
            rows = self._rows(stream)
            stream.write.add_scans(
                stream.inputs, self._recorder.add_scans(stream.inputs, _scans(stream, rows))
            )
            identity, counts = stream.output.identity, self._written(stream, rows)
            stream.write.end_stream(identity, counts)
            written[identity] = written.get(identity, Counts(rows=0)) + counts
        for identity, counts in written.items():
            self._recorder.end_streams(identity, counts)

    def _written(self, stream: _Stream, rows: StreamRows) -> Counts:
        """Return what a stream has written, from the commits of a sink that does not report it."""
        if rows.written is None and stream.session.has_jvm:
            with self._guard.step("count the rows that a stream has written"):
                query = str(stream.query.id)
                counts = counts_of_delta_stream(stream.session.spark, stream.output, query, stream.began)
                return counts or Counts()
        return Counts(rows=rows.written)

    def _rows(self, stream: _Stream) -> StreamRows:
        with self._guard.step("count the rows of a stream"):
            try:
                return rows_of_stream(stream.query, stream.kept)
            except LookupError as error:
                self._guard.warn_once(
                    "count the rows of a long stream",
                    f"the rows of the stream into {stream.output.name} are not counted: {error}; "
                    f"increase {_KEPT}",
                )
        return StreamRows()


def _scans(stream: _Stream, rows: StreamRows) -> list[Scan]:
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


T = TypeVar("T")

_SHORT_WAIT = 0.25
"""Seconds to wait for the metrics of a write that may have written nothing."""


class WriteResults:
    """Execute the job's own calls, measure them, and record their results.

    Args:
        session: The session that writes.
        recorder: Records the results.
        guard: Runs the lineage code.
    """

    def __init__(self, session: CapturedSession, recorder: Recorder, guard: Guard) -> None:
        self._session = session
        self._recorder = recorder
        self._guard = guard

    def execute(self, action: Callable[[], T]) -> tuple[T, ActionStart | None]:
        """Execute a call of the job with a job tag, and return its result and the tag for `measure`."""
        tracker = self._session.tracker
        start: ActionStart | None = None
        if tracker is not None:
            with self._guard.step("add a job tag"):
                start = tracker.begin()
        try:
            return action(), start
        finally:
            if tracker is not None and start is not None:
                with self._guard.step("remove the job tag"):
                    tracker.end(start)

    def measure(self, start: ActionStart | None, may_skip: bool) -> ActionMetrics:
        """Return what Spark counted in a call.

        Args:
            start: The tag that `execute` returned.
            may_skip: The call may have written nothing; do not wait long for its metrics.
        """
        tracker = self._session.tracker
        if tracker is not None and start is not None:
            with self._guard.step("read the metrics of a write"):
                return tracker.metrics(start, _SHORT_WAIT) if may_skip else tracker.metrics(start)
        return ActionMetrics()

    def measure_query(self, execution: JavaObject, began: int) -> ActionMetrics | None:
        """Return what Spark counted in an executed command; None if it is a part of another command.

        Args:
            execution: The JVM's QueryExecution.
            began: When it began, in milliseconds since 1970.
        """
        tracker = self._session.tracker
        if tracker is not None:
            with self._guard.step("read the metrics of a write"):
                return tracker.metrics_of_query(execution, began)
        return ActionMetrics(began=began)

    def commit(self, dataset: SparkDataset | None, measured: ActionMetrics) -> Commit | None:
        """Return the commit that a write made, for tables that have commits."""
        if dataset is not None and measured.began is not None:
            with self._guard.step("read the commit log of a table"):
                return newest_commit(self._session.spark, dataset, measured.began)
        return None

    def record_write(
        self,
        write: RecordedWrite,
        target: WriteTarget,
        commit: Commit | None,
        measured: ActionMetrics,
        lineage: ColumnLineageDatasetFacet | None,
        *,
        continues: bool = False,
    ) -> None:
        """Record a successful write, unless it may have skipped an existing dataset.

        Args:
            write: The write.
            target: What was written.
            commit: The commit of the write.
            measured: What Spark counted.
            lineage: Sources of the columns.
            continues: The write is that of a stream; its rows are counted at the end.
        """
        if target.dataset is None or (target.may_skip and not measured.written and not target.is_new):
            return
        existed, written, dataset = target.existed, measured.written, target.dataset
        report = commit.report if commit is not None else None
        if commit is not None:
            if existed is None and commit.is_first is not None:
                existed = not commit.is_first
            written, dataset = commit.counts or written, commit.dataset_after(dataset)
        change = change_made(existed, target.overwrites)
        write.add_result(
            FinishedWrite(dataset, written, change, target.overwrites, lineage, report, continues)
        )

    def record_scans(
        self, inputs: list[SparkDataset], measured: ActionMetrics, *, repeated: bool = False
    ) -> list[Scan]:
        """Record what one call read of its inputs, and return the scans that were not counted before.

        Args:
            inputs: The inputs.
            measured: What Spark counted.
            repeated: The call scans the same rows of an input several times; count them once.
        """
        for scan in measured.scans:
            if scan.repeated_by is not None:
                self._guard.warn_once(
                    "count rows that were read again",
                    f"rowCount of {scan.name} {', '.join(scan.locations)} is not captured: Spark may have "
                    f"read rows more than once ({scan.repeated_by})",
                )
        return self._recorder.add_scans(inputs, measured.scans, repeated=repeated)
