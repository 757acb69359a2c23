"""Capture the reads, writes and SQL statements of one run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.capture.captured_run import CapturedRun
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.folder_capture import FolderCapture
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.job_facets import JobFacets
from openlineage_facets.spark.capture.quality_observations import QualityObservations
from openlineage_facets.spark.capture.query_capture import ExecutedQuery, QueryCapture
from openlineage_facets.spark.capture.read_subsets import ReadSubsets
from openlineage_facets.spark.capture.recorded_write import WriteRuns
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.remembered_sources import RememberedSources
from openlineage_facets.spark.capture.reported_writes import ReportedWrites
from openlineage_facets.spark.capture.statement_capture import StatementCapture
from openlineage_facets.spark.capture.stream_counts import StreamCounts
from openlineage_facets.spark.capture.write_capture import WriteCapture
from openlineage_facets.spark.capture.write_targets import FindTarget
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset, schema_facet

T = TypeVar("T")


class LineageCapture:
    """Execute calls of a job and record their lineage.

    Used by the methods of `SparkRun` and by everything else that executes calls of the job. Results and
    exceptions are those of the calls; errors of the lineage code are handled by the guard.

    Args:
        spark: The session.
        recorder: Records inputs and outputs.
        job_facets: Facets of the job that change during the run.
        guard: Runs the lineage code.
        report_changes: Sends a RUNNING event if it is due; called when new lineage was recorded.
        write_runs: The runs of single writes; None if the writes have none.

    Attributes:
        writes: Captures writes of DataFrames.
        statements: Captures SQL statements.
        folders: Captures RDDs and models.
    """

    def __init__(
        self,
        spark: SparkSession,
        recorder: Recorder,
        job_facets: JobFacets,
        guard: Guard,
        report_changes: Callable[[], None],
        write_runs: WriteRuns | None = None,
    ) -> None:
        self._recorder = recorder
        self.guard = guard
        """Runs the lineage code."""
        self.remembered = RememberedSources(guard)
        """Sources that plans do not show."""
        self._session = CapturedSession(spark, guard)
        self._run = CapturedRun(
            recorder,
            job_facets,
            guard,
            report_changes,
            write_runs,
            QualityObservations(self._session, recorder, guard),
            ReadSubsets(recorder),
            StreamCounts(recorder, guard),
        )
        self.gaps = self._run.gaps
        """What could not be captured."""
        self.reported = self._run.reported
        """The calls that have captured their own writes."""
        self._capture_calls_of(self._session)

    def in_session(self, spark: SparkSession) -> LineageCapture:
        """Return what captures calls of another session, such as that of a batch, for the same run."""
        if spark is self._session.spark:
            return self
        other = copy(self)
        other._capture_calls_of(self._session.of(spark))
        return other

    @property
    def spark(self) -> SparkSession:
        """The session of the run; a later one if the job has stopped it."""
        return self._session.spark

    def move_to(self, spark: SparkSession) -> None:
        """Capture a session of another Spark application, because the job has stopped that of the run."""
        self._session.move_to(spark)
        self._run.seen_rdds.clear()  # Each application numbers them from 0.
        self._run.collected_rdds.clear()

    def _capture_calls_of(self, session: CapturedSession) -> None:
        self._session = session
        self.writes = WriteCapture(session, self._run)
        self.statements = StatementCapture(session, self._run)
        self.folders = FolderCapture(session, self._run)
        self._queries = QueryCapture(session, self._run)

    def read(
        self, df: DataFrame, dataset: Identity | None = None, quality: bool | Iterable[str] = False
    ) -> DataFrame:
        """Record what a DataFrame reads.

        Args:
            df: The DataFrame.
            dataset: Namespace and name of what it reads, instead of those found.
            quality: The columns whose data quality to measure; True for all.

        Returns:
            The same DataFrame, or with `quality` an observed one with the same rows.
        """
        is_frame = False
        with self.guard.step("read"):
            is_frame = _check_frame(df)
        if not is_frame:
            return df
        inputs = self._read(df, self._run.checked_name(dataset))
        if quality:
            with self.guard.step("measure data quality"):
                return self._run.quality.observe(df, quality, inputs)
        return df

    def read_unreported(self, df: DataFrame, *, collects: bool = False) -> None:
        """Record what a DataFrame reads in a query that Spark does not report.

        Args:
            df: The DataFrame.
            collects: The job receives its rows.
        """
        inputs = self._read(df)
        with self.guard.step("note that all of an input may be read"):
            self._run.subsets.add_unreported(inputs)
            if collects:
                self._recorder.add_collected(inputs)

    def stream(self, action: Callable[[], T], df: DataFrame, find_target: FindTarget | None) -> T:
        """Start a stream, and record what it reads and the dataset to which it appends.

        Args:
            action: The job's own call.
            df: The streaming DataFrame.
            find_target: Finds what it will write; None if it writes no dataset itself.

        Returns:
            The result of the call.
        """
        self.read_unreported(df)
        if find_target is not None:
            return self.writes.stream(action, df, find_target)
        with self.reported.call():
            return self.remembered.stream(action, df, self._session)

    def checkpoint(self, action: Callable[[], DataFrame], df: DataFrame) -> DataFrame:
        """Compute a checkpoint of a DataFrame, and remember what it is computed from.

        Args:
            action: The job's own call.
            df: The DataFrame.

        Returns:
            The result of the call.
        """
        return self.remembered.checkpoint(action, df, self._session)

    def inputs(self, df: DataFrame) -> list[SparkDataset]:
        """Return the datasets that a DataFrame reads."""
        return self._session.inputs(df)

    def query(self, query: ExecutedQuery, reported: Sequence[ReportedWrites]) -> None:
        """Record a query or command that Spark has executed, unless a call of the job has reported it.

        Args:
            query: The query.
            reported: What the calls of all active runs have reported.
        """
        with self.guard.step("find the inputs and outputs of a query"):
            self._queries.record(query, reported)
        with self.guard.step("find which parts of its inputs a query has read"):
            self._queries.record_parts(query)
        if not query.failed:  # Otherwise the run is about to end; its FAIL event has everything.
            self._run.report_changes()

    def job_tags(self, query: ExecutedQuery) -> set[str]:
        """Return the tags of the jobs of an executed query; empty if it had no jobs."""
        return self._session.job_tags(query.execution)

    def started(self, query: ExecutedQuery) -> int | None:
        """Return when a query was last started, in milliseconds since 1970; None if that is unknown."""
        tracker = self._session.tracker
        execution = None if tracker is None else tracker.executions.of_query(query.execution)
        return None if execution is None else execution.submitted

    def named_output(self, dataset: SparkDataset) -> SparkDataset:
        """Return an output under the name that the user passed for it, if any."""
        return self._recorder.names.apply(dataset, True)

    def mark_streaming(self) -> None:
        """Record that the job processes a stream."""
        with self.guard.step("record the processing type"):
            self._run.job_facets.mark_streaming()

    def finish(self, *, succeeded: bool) -> None:
        """Record what is only known at the end of the run.

        Args:
            succeeded: The run ends with COMPLETE.
        """
        with self.guard.step("report data quality"):
            self._run.quality.finish()
        with self.guard.step("count the rows of streams"):
            self._run.streams.finish()
        if self._run.write_runs is not None:
            with self.guard.step("end the runs of writes"):
                self._run.write_runs.finish(succeeded=succeeded)
        with self.guard.step("forget streams, checkpoints and predictions"):
            self.remembered.close()
        with self.guard.step("report which parts of the inputs were read"):
            self._run.subsets.finish()
        with self.guard.step("report the outputs of rejected writes"):
            if succeeded:
                self._recorder.discard_rejected()
            else:
                self._recorder.add_rejected()
        with self.guard.step("name the outputs with rows whose sources are unknown"):
            self._warn_of_unknown_rows()

    def _warn_of_unknown_rows(self) -> None:
        outputs = self._recorder.outputs_with_unknown_rows()
        if outputs:
            names = ", ".join(name for _, name in outputs)
            self.guard.warn_once(
                "find the sources of rows",
                "cannot capture the sources and column lineage of rows of createDataFrame(), transpose() or "
                f"an unknown source: they may be copies of what the job has read; written to {names}; "
                "add them in a SparkRun with run.build.job.lineage",
            )

    def _read(self, df: DataFrame, name: Identity | None = None) -> list[SparkDataset]:
        """Record what a DataFrame reads, and return it under its final names."""
        inputs: list[SparkDataset] = []
        with self.guard.step("find the inputs of a DataFrame"):
            inputs = self._add_inputs(df, name)
        with self.guard.step("check for a stream"):
            if df.isStreaming:
                self.mark_streaming()
        return inputs

    def _add_inputs(self, df: DataFrame, name: Identity | None) -> list[SparkDataset]:
        inputs = self._session.inputs(df)
        if name is not None:
            self._recorder.names.assign(inputs, name)
            # Several datasets under one name have the columns of the DataFrame, and no location.
            dataset = inputs[0] if len(inputs) == 1 else SparkDataset("", "", (schema_facet(df.schema),))
            if not any(isinstance(facet, SchemaDatasetFacet) for facet in dataset.facets):
                dataset = replace(dataset, facets=(schema_facet(df.schema), *dataset.facets))
            inputs = [replace(dataset, namespace=name[0], name=name[1])]
        return self._recorder.inputs.add(inputs)


def _check_frame(df: Any) -> bool:
    if hasattr(df, "sparkSession"):
        return True
    example = "run.read(spark.read.parquet(path))"
    raise TypeError(f"run.read: expected a DataFrame, as in {example}, found {type(df).__name__}")
