"""Find out, after a write, what it did: Spark's metrics and the commits of lake tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.recorder import FinishedWrite, Recorder
from openlineage_facets.spark.capture.write_targets import WriteTarget
from openlineage_facets.spark.facets.lifecycle import change_made
from openlineage_facets.spark.jvm.objects import JavaObject
from openlineage_facets.spark.metrics.lake_commits import Commit, newest_commit
from openlineage_facets.spark.metrics.scans import Scan
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics, ActionStart
from openlineage_facets.spark.spark_dataset import SparkDataset

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
