"""Capture one write: plan it, execute it, record its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pyspark.sql import DataFrame

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.capture.captured_run import CapturedRun, SessionCapture
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.quality_observations import QualityObservation
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.stream_counts import StartedStream
from openlineage_facets.spark.capture.write_targets import FindTarget, TargetFinder, WriteTarget
from openlineage_facets.spark.datasets.plan_sources import datasets_of
from openlineage_facets.spark.datasets.sources import Source, have_unknown_rows
from openlineage_facets.spark.datasets.tables import generated_columns
from openlineage_facets.spark.datasets.targets import with_written_schema
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.scans import scans_of_batches
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics, ActionStart
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset, schema_facet

T = TypeVar("T")


@dataclass(frozen=True)
class _WritePlan:
    """What is known of a write before it is executed."""

    inputs: list[SparkDataset] = field(default_factory=list)
    target: WriteTarget | None = None
    lineage: ColumnLineageDatasetFacet | None = None
    sources: list[Source] = field(default_factory=list)


class WriteCapture(SessionCapture):
    """Capture the writes of a run."""

    def __init__(self, session: CapturedSession, run: CapturedRun) -> None:
        super().__init__(session, run)
        self._targets = TargetFinder(session, run.guard)

    def write(
        self, action: Callable[[], T], df: DataFrame, find_target: FindTarget, dataset: Identity | None = None
    ) -> T:
        """Execute a write, and record its inputs, its output and their column lineage.

        Args:
            action: The job's own call.
            df: The DataFrame that it writes.
            find_target: Finds what it will write.
            dataset: Namespace and name of the output, instead of those found.

        Returns:
            The result of the call.

        Example:
            capture.writes.write(
                lambda: df.write.insertInto("orders"),
                df,
                lambda targets: targets.insert_into(df, "orders", None),
            )
        """
        name = self._run.checked_name(dataset)
        with self._captured_call() as call:
            write, planned = self._new_write(call), _WritePlan()
            with self._guard.step("plan the lineage of a write"):
                planned = self._plan(write, df, find_target, name)
            # What earlier actions have measured is valid even if this write fails.
            with self._guard.step("report data quality"):
                self._run.quality.report()
            unmeasured: list[QualityObservation] = []
            with self._guard.step("check data quality"):
                unmeasured = self._run.quality.unmeasured()
            with self._failure_of(write):
                result, start = self._session.execute(action)
            with self._guard.step("check data quality"):
                self._run.quality.note_write(unmeasured, df)
            with self._guard.step("record a write"):
                self._record(write, planned, start)
                write.complete()
            return result

    def stream(self, action: Callable[[], T], df: DataFrame, find_target: FindTarget) -> T:
        """Start a stream and record its sink, whose rows are written as long as it runs.

        Args:
            action: The job's own call.
            df: The streaming DataFrame.
            find_target: Finds what it will write.

        Returns:
            The result of the call.
        """
        with self._captured_call() as call:
            write, planned = self._new_write(call), _WritePlan()
            with self._guard.step("find the sink of a stream"):
                planned = self._plan(write, df, find_target, None)
            with self._failure_of(write):
                result = action()
            with self._guard.step("record the sink of a stream"):
                target = None if planned.target is None else _found_later(planned.target, write)
                if target is not None and target.dataset is not None:
                    nothing_yet = ActionMetrics(Counts(rows=0))
                    write.add_measured(target, None, nothing_yet, planned.lineage, continues=True)
                    self._run.streams.add(
                        StartedStream(self._session, result, write, planned.inputs, target.dataset)
                    )
            return result

    def _plan(
        self, write: RecordedWrite, df: DataFrame, find_target: FindTarget, name: Identity | None
    ) -> _WritePlan:
        """Find the inputs, the target and the column lineage, and record them."""
        target: WriteTarget | None = None
        with self._guard.step("find the write target"):
            target = self._named_target(write, df, find_target, name)
        # The inputs come second: an input may be the target itself, under the name that the user passed.
        sources: list[Source] = []
        inputs: list[SparkDataset] = []
        with self._guard.step("find the inputs of a write"):
            sources = self._session.sources(df)
            inputs = datasets_of(sources)
        with self._guard.step("record the inputs of a write"):
            inputs = write.add_inputs(inputs, has_unknown_rows=have_unknown_rows(sources))
        if target is None or (target.may_skip and target.existed):
            return _WritePlan(inputs)
        lineage: ColumnLineageDatasetFacet | None = None
        if self._session.has_jvm:
            with self._guard.step("find the column lineage of a write"):
                generated = None
                if target.dataset is not None and target.existed and not target.replaces_columns:
                    generated = generated_columns(self._session.spark, target.dataset)
                lineage = column_lineage_facet(df, target.columns, sources, generated)
        if target.dataset is not None:
            with self._guard.step("record the output of a write"):
                may_skip = target.may_skip and target.existed is None
                write.plan(target.dataset, lineage, refused=target.refused, may_skip=may_skip)
        self._run.report_changes()
        return _WritePlan(inputs, target, lineage, sources)

    def _named_target(
        self, write: RecordedWrite, df: DataFrame, find_target: FindTarget, name: Identity | None
    ) -> WriteTarget:
        """Return the target under its final name, and note that the call writes it."""
        if name is None:
            target = find_target(self._targets)
            return replace(target, dataset=write.output(target.dataset)) if target.dataset else target
        try:
            target = find_target(self._targets)
        except Exception:  # The user's name is enough, for example for a sink without a path.
            target = WriteTarget(None)
        if target.dataset is not None:
            write.call.writes(target.dataset)  # Spark reports it under this name, which a partition keeps.
            if not target.dataset.is_part:
                self._recorder.names.assign([target.dataset], name)
        dataset = target.dataset or SparkDataset("", "", (schema_facet(df.schema),))
        dataset = replace(dataset, namespace=name[0], name=name[1])
        write.call.writes(dataset)
        return replace(target, dataset=dataset)

    def _record(self, write: RecordedWrite, planned: _WritePlan, start: ActionStart | None) -> None:
        if planned.target is None:
            return
        target = _found_later(planned.target, write)
        measured = self._session.measure(start, target.may_skip)
        with self._guard.step("read the columns of a table"):
            target = self._with_new_schema(target)
        commit = self._session.commit(target.dataset, measured)
        with self._guard.step("record the result of a write"):
            write.add_measured(target, commit, measured, planned.lineage)
        with self._guard.step("record what a write has read"):
            write.add_scans(planned.inputs, self._record_scans(planned.inputs, measured))
        with self._guard.step("record what a batch has read"):
            batches = scans_of_batches(planned.sources)
            write.add_scans(planned.inputs, self._recorder.inputs.add_scans(planned.inputs, batches))
        self._run.quality.report(measured)

    def _with_new_schema(self, target: WriteTarget) -> WriteTarget:
        """Return a target with its columns after the write, if the write may have changed them."""
        dataset = target.dataset
        if target.find_schema is None or dataset is None or dataset.storage_layer in ("file", "hive", None):
            return target
        return replace(target, dataset=with_written_schema(dataset, target.find_schema()))


def _found_later(target: WriteTarget, write: RecordedWrite) -> WriteTarget:
    """Return a target after the write, with its dataset if that is only known then."""
    if target.dataset is not None or target.find_later is None:
        return target
    return replace(target, dataset=write.output(target.find_later()))
