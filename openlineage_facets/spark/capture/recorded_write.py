"""Record one write: in the run that writes, and in a separate run of the write if there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from pyspark.errors import AnalysisException

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.capture.dataset_names import DatasetNames
from openlineage_facets.spark.capture.output_sources import UNKNOWN_ROWS, Sources
from openlineage_facets.spark.capture.recorder import FinishedWrite, PlannedWrite, Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.capture.write_targets import WriteTarget
from openlineage_facets.spark.jvm import class_of
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.lake_commits import Commit
from openlineage_facets.spark.metrics.scans import Scan
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics
from openlineage_facets.spark.spark_dataset import Identity, SparkDataset, change_made
from openlineage_facets.spark.statements import DefinedTable


class WriteRun:
    """The run of one write.

    Args:
        builder: Builder of its events.
        recorder: Records its inputs and its output.
        began: When the write began, in milliseconds since 1970; 0 if that is unknown.
        send: Receives its events.
        lock: Held while an event is composed and sent.
    """

    def __init__(
        self,
        builder: RunEventBuilder,
        recorder: Recorder,
        began: int,
        send: Callable[[Any], None],
        lock: AbstractContextManager[Any],
    ) -> None:
        self._builder = builder
        self.recorder = recorder
        """Records the inputs and the output of the write."""
        self.continues = False
        """The write is that of a stream, which ends with the run that has started it."""
        self._began = datetime.fromtimestamp(began / 1000, timezone.utc) if began else None
        self._send = send
        self._lock = lock
        self._has_started = False
        self.has_ended = False
        """The last event was sent."""

    def start(self) -> None:
        """Send START, with the time when the write began."""
        with self._lock:
            self._has_started = True
            self._send(self._builder.start(self._began))

    def complete(self) -> None:
        """Send COMPLETE."""
        self._end(self._builder.complete)

    def fail(self, error: BaseException | None = None) -> None:
        """Send FAIL."""
        self._end(lambda: self._builder.fail(error))

    def abort(self) -> None:
        """Send ABORT."""
        self._end(self._builder.abort)

    def _end(self, compose: Callable[[], Any]) -> None:
        """Send the last event, after START if the output was not known before."""
        with self._lock:
            if self.has_ended:
                return
            self.has_ended = True
            if not self._has_started:
                self.start()
            self._send(compose())


class WriteRuns:
    """The runs of the writes of one run.

    Args:
        new_builder: Returns the builder for the run of a write of a dataset.
        names: The names that the user passed for datasets.
        send: Receives the events.
        lock: Held while a builder is changed or an event is composed.
    """

    def __init__(
        self,
        new_builder: Callable[[Identity], RunEventBuilder],
        names: DatasetNames,
        send: Callable[[Any], None],
        lock: AbstractContextManager[Any],
    ) -> None:
        self._new_builder = new_builder
        self._names = names
        self._send = send
        self._lock = lock
        self._unfinished: list[WriteRun] = []

    def new(self, output: Identity, began: int) -> WriteRun:
        """Return the run of a write, which is not started yet.

        Args:
            output: The dataset that it writes.
            began: When it began, in milliseconds since 1970.
        """
        builder = self._new_builder(output)
        new = WriteRun(builder, Recorder(builder, self._lock, self._names), began, self._send, self._lock)
        with self._lock:
            self._unfinished = [*(run for run in self._unfinished if not run.has_ended), new]
        return new

    def finish(self, *, succeeded: bool) -> None:
        """End the runs of streams, and abort those of writes that are still being executed.

        Args:
            succeeded: The run that has started the streams ends with COMPLETE.
        """
        with self._lock:
            unfinished, self._unfinished = self._unfinished, []
        for run in unfinished:
            if succeeded and run.continues:
                run.complete()
            else:
                run.abort()


def is_refusal(error: Exception) -> bool:
    """Return True if Spark has refused to execute a write, for example because the path exists already."""
    if isinstance(error, AnalysisException):
        return True
    java: Any = getattr(error, "java_exception", None)
    if java is None:
        return False
    # Hadoop refuses a folder for an RDD, and MLlib one for a model.
    return class_of(java) == "FileAlreadyExistsException" or (
        class_of(java) == "IOException" and "already exists. To overwrite" in str(java.getMessage())
    )


class RecordedWrite:
    """One write of one dataset: what is added as its inputs is the source of what it writes.

    Args:
        recorder: Records inputs and outputs of the run.
        runs: The runs of single writes; None if the writes have none.
        call: The call that writes.
    """

    def __init__(self, recorder: Recorder, runs: WriteRuns | None, call: CapturedCall) -> None:
        self._recorder = recorder
        self._runs = runs
        self.call = call
        """The call that writes."""
        self._own: WriteRun | None = None
        self._inputs: list[SparkDataset] = []
        self._sources: Sources = None
        self._planned: PlannedWrite | None = None
        self._will_be_refused = False

    def add_inputs(
        self, found: Iterable[SparkDataset], *, has_unknown_rows: bool = False
    ) -> list[SparkDataset]:
        """Add what the write reads; see `Recorder.add_inputs`.

        Args:
            found: The datasets.
            has_unknown_rows: It also reads rows whose datasets its plan does not show.
        """
        self._inputs += found
        added = self._recorder.inputs.add(self._inputs)
        has_unknown_rows |= self._sources is not None and UNKNOWN_ROWS in self._sources
        self._sources = frozenset(dataset.identity for dataset in added)
        if has_unknown_rows:
            self._sources |= {UNKNOWN_ROWS}
        return added

    def output(self, dataset: SparkDataset) -> SparkDataset:
        """Return an output under the name that the user passed for it, and note that the call writes it."""
        output = self._recorder.names.apply(dataset, True)
        self.call.writes(output)
        return output

    def plan(
        self,
        dataset: SparkDataset,
        lineage: ColumnLineageDatasetFacet | None = None,
        *,
        refused: bool = False,
        may_skip: bool = False,
    ) -> None:
        """Add the output before it is written; see `Recorder.plan_write`.

        Args:
            dataset: The dataset as it will be after the write.
            lineage: Sources of its columns.
            refused: Spark will refuse the write: the output is only added if this fails the run.
            may_skip: The write may skip an existing dataset, whose facets are not known before.
        """
        self._planned = planned = PlannedWrite(dataset, lineage, self._sources)
        self._will_be_refused = refused
        if refused:
            return
        if may_skip:
            planned = replace(planned, dataset=replace(dataset, facets=()), lineage=None)
        for recorder in self._recorders(dataset):
            recorder.plan_write(planned)
        if self._own is not None:
            self._own.start()

    def add_result(self, write: FinishedWrite) -> None:
        """Add what the write did; see `Recorder.add_write`."""
        for recorder in self._recorders(write.dataset):
            recorder.add_write(replace(write, sources=self._sources))
        if self._own is not None:
            self._own.continues = write.continues

    def add_measured(
        self,
        target: WriteTarget,
        commit: Commit | None,
        measured: ActionMetrics,
        lineage: ColumnLineageDatasetFacet | None,
        *,
        continues: bool = False,
    ) -> None:
        """Add what the write did as Spark has counted it, unless it may have skipped an existing dataset.

        Args:
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
        self.add_result(
            FinishedWrite(dataset, written, change, target.overwrites, lineage, report, continues)
        )

    def add_definition(self, table: DefinedTable) -> None:
        """Add the table or view that a statement defined; see `Recorder.add_definition`."""
        sources: Sources = self._sources or frozenset()
        for recorder in self._recorders(table.dataset):
            recorder.add_definition(table, sources)

    def add_scans(
        self, inputs: Iterable[SparkDataset], scans: Iterable[Scan], *, repeated: bool = False
    ) -> None:
        """Add what the write has read to its own run, of what was counted for the run."""
        if self._own is not None:
            self._own.recorder.inputs.add_scans(inputs, scans, repeated=repeated)

    def end_stream(self, identity: Identity, counts: Counts) -> None:
        """Add what a stream has written to its own run."""
        if self._own is not None:
            self._own.recorder.end_streams(identity, counts)

    def complete(self) -> None:
        """End the write's own run successfully, unless a stream continues it."""
        if self._own is not None and not self._own.continues:
            self._own.complete()

    def fail(self, error: Exception | None) -> None:
        """Record that the write has failed, or that Spark has refused it, and end its own run with the error.

        See `Recorder.fail_write` and `Recorder.reject_write`.
        """
        if self._planned is not None:
            is_refused = self._will_be_refused or (error is not None and is_refusal(error))
            record = self._recorder.reject_write if is_refused else self._recorder.fail_write
            record(self._planned)
        if self._own is not None:
            self._own.fail(error)

    def _recorders(self, output: SparkDataset) -> list[Recorder]:
        """Return the recorder of the run and, if writes have runs, that of the write's own, which is new."""
        if self._own is None and self._runs is not None:
            self._own = self._runs.new(output.identity, self.call.began)
            self._own.recorder.inputs.add(self._inputs)
        return [self._recorder] if self._own is None else [self._recorder, self._own.recorder]
