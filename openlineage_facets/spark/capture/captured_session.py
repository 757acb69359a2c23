"""What can be captured in a Spark session: with a JVM or through Spark Connect."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.datasets.client_sources import client_inputs
from openlineage_facets.spark.datasets.plan_sources import client_sources, datasets_of, sources_of
from openlineage_facets.spark.datasets.sources import Source
from openlineage_facets.spark.jvm import has_jvm, is_stopped, threads_are_pinned
from openlineage_facets.spark.metrics.write_metrics import ActionTracker
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class CapturedSession:
    """A Spark session and what of it can be captured.

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
            self.tracker = self._new_tracker(self._guard)

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
        return sources_of(df) if self.has_jvm else client_sources(client_inputs(df))

    def setting(self, name: str, default: str) -> str:
        """Return a setting of the session."""
        return self.spark.conf.get(name, default) or default

    def _new_tracker(self, guard: Guard) -> ActionTracker | None:
        if not self.has_jvm:
            guard.warn_once(
                "measure",
                "Spark Connect has no access to the JVM; not captured are statistics, column lineage, and "
                "datasets that only the server knows, such as those of views and SQL statements and those "
                "written in foreachBatch; add them with dataset=(namespace, name) or run.build",
            )
            return None
        if is_stopped(self.spark):
            guard.warn_once(
                "find the session",
                "the Spark session was stopped before the run; create a new session, and pass it to the run",
            )
            return None
        if not threads_are_pinned(self.spark):
            guard.warn_once(
                "measure", "statistics and data quality are not captured without PYSPARK_PIN_THREAD=true"
            )
            return None
        return ActionTracker(self.spark)
