"""What can be captured in a Spark session: with a JVM or through Spark Connect."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TypeVar

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.datasets.client_sources import client_sources
from openlineage_facets.spark.datasets.plan_sources import datasets_of, sources_of
from openlineage_facets.spark.datasets.sources import Source
from openlineage_facets.spark.jvm import JavaObject, has_jvm, is_stopped, threads_are_pinned
from openlineage_facets.spark.metrics.lake_commits import Commit, newest_commit
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics, ActionStart, ActionTracker
from openlineage_facets.spark.spark_dataset import SparkDataset

T = TypeVar("T")

_SHORT_WAIT = 0.25
"""Seconds to wait for the metrics of a write that may have written nothing."""


class CapturedSession:
    """A Spark session and what of it can be captured: what it reads, and the results of what it executes.

    Args:
        spark: The session.
        guard: Runs the lineage code.

    Attributes:
        has_jvm: False through Spark Connect.
        tracker: Reads Spark's metrics; None if that is not possible, which is logged once.
    """

    def __init__(self, spark: SparkSession, guard: Guard) -> None:
        self._guard = guard
        self.has_jvm = False
        self.move_to(spark)

    def move_to(self, spark: SparkSession) -> None:
        """Capture a session of another Spark application, because this one was stopped."""
        self.spark = spark
        self.tracker: ActionTracker | None = None
        with self._guard.step("find the JVM of the session"):
            self.has_jvm = has_jvm(spark)
        with self._guard.step("read Spark's metrics"):
            self.tracker = self._new_tracker()

    def of(self, spark: SparkSession) -> CapturedSession:
        """Return another session of the same Spark application."""
        other = copy(self)
        other.spark = spark
        return other

    def inputs(self, df: DataFrame) -> list[SparkDataset]:
        """Return the datasets that a DataFrame reads.

        What Spark Connect cannot show was logged when the run started.
        """
        return datasets_of(self.sources(df))

    def sources(self, df: DataFrame) -> list[Source]:
        """Return what each leaf of the plan of a DataFrame reads."""
        return sources_of(df) if self.has_jvm else client_sources(df)

    def execute(self, action: Callable[[], T]) -> tuple[T, ActionStart | None]:
        """Execute a call of the job with a job tag, and return its result and the tag for `measure`."""
        tracker = self.tracker
        start: ActionStart | None = None
        if tracker is not None:
            with self._guard.step("add a job tag"):
                start = tracker.begin()
        try:
            return action(), start
        finally:
            if tracker is not None and start is not None:
                with self._guard.step("remove the job tag"):
                    self._end(tracker, start)

    def _end(self, tracker: ActionTracker, start: ActionStart) -> None:
        try:
            tracker.end(start)
        except Exception:
            if not is_stopped(self.spark):  # Otherwise the tag has gone with Spark.
                raise

    def measure(self, start: ActionStart | None, may_skip: bool) -> ActionMetrics:
        """Return what Spark counted in a call.

        Args:
            start: The tag that `execute` returned.
            may_skip: The call may have written nothing; do not wait long for its metrics.
        """
        tracker = self.tracker
        if tracker is not None and start is not None:
            with self._guard.step("read the metrics of a write"):
                measured = tracker.metrics(start, _SHORT_WAIT) if may_skip else tracker.metrics(start)
                if not measured.plans and tracker.executions.has_removed_since(start.began):
                    self._guard.warn_once(
                        "find the execution of a write",
                        "the statistics of a write are not captured: Spark has removed its status; raise "
                        "spark.sql.ui.retainedExecutions above the number of queries executed meanwhile",
                    )
                return measured
        return ActionMetrics()

    def measure_query(self, execution: JavaObject, began: int) -> ActionMetrics | None:
        """Return what Spark counted in an executed command; None if it is a part of another command.

        Args:
            execution: The JVM's QueryExecution.
            began: When it began, in milliseconds since 1970.
        """
        tracker = self.tracker
        if tracker is not None:
            with self._guard.step("read the metrics of a write"):
                return tracker.metrics_of_query(execution, began)
        return ActionMetrics(began=began)

    def commit(self, dataset: SparkDataset | None, measured: ActionMetrics) -> Commit | None:
        """Return the commit that a write made, for tables that have commits."""
        if dataset is not None and measured.began is not None:
            with self._guard.step("read the commit log of a table"):
                return newest_commit(self.spark, dataset, measured.began)
        return None

    def job_tags(self, execution: JavaObject) -> set[str]:
        """Return the tags of the jobs of the JVM's QueryExecution; empty if it had no jobs."""
        return set() if self.tracker is None else self.tracker.job_tags(execution)

    def _new_tracker(self) -> ActionTracker | None:
        if not self.has_jvm:
            self._guard.warn_once(
                "measure",
                "Spark Connect has no access to the JVM; not captured are statistics, column lineage, and "
                "datasets that only the server knows, such as those of views and SQL statements and those "
                "written in foreachBatch; add them with dataset=(namespace, name) or run.build",
            )
            return None
        if is_stopped(self.spark):
            self._guard.warn_once(
                "find the session",
                "the Spark session was stopped before the run; create a new session, and pass it to the run",
            )
            return None
        if not threads_are_pinned(self.spark):
            self._guard.warn_once(
                "measure", "statistics and data quality are not captured without PYSPARK_PIN_THREAD=true"
            )
            return None
        return ActionTracker(self.spark)
