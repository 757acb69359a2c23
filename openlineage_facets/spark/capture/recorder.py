"""Record what a run has read and written in the builder of its events."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    IcebergCommitReportOutputDatasetFacet,
    LineageJobFacet,
    OutputStatisticsOutputDatasetFacet,
)
from openlineage_facets.spark.capture.dataset_names import DatasetNames
from openlineage_facets.spark.capture.lifecycle_changes import LifecycleChanges
from openlineage_facets.spark.capture.merged_lineage import NO_LINEAGE, MergedLineage
from openlineage_facets.spark.capture.output_sources import (
    NO_SOURCES,
    Origin,
    OutputSources,
    Sources,
    run_lineage_facet,
)
from openlineage_facets.spark.capture.recorded_facets import Facets, RecordedFacets
from openlineage_facets.spark.capture.recorded_inputs import RecordedInputs
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.spark_dataset import Change, Identity, SparkDataset
from openlineage_facets.spark.statements import DefinedTable

_EMPTYING = ("DROP", "TRUNCATE")
"""Changes after which nothing remains of what the run has written."""


@dataclass(frozen=True)
class PlannedWrite:
    """What is known of a write of a dataset before it is executed.

    Args:
        dataset: The dataset as it will be after the write.
        lineage: Sources of its columns.
        sources: The inputs of the write; None if they are unknown.
    """

    dataset: SparkDataset
    lineage: ColumnLineageDatasetFacet | None = None
    sources: Sources = None

    @property
    def origin(self) -> Origin:
        """What the rows of the write come from."""
        return Origin.of(self.sources, self.lineage)


@dataclass(frozen=True)
class FinishedWrite:
    """What a successful write did to a dataset.

    Args:
        dataset: The output.
        counts: Rows, bytes and files written.
        change: Lifecycle change of the dataset, if any.
        overwrote: All previous content was replaced.
        column_lineage: Sources of its columns.
        report: Iceberg's report about the commit.
        continues: A stream is writing the dataset; its rows are not counted yet.
        sources: The inputs of the write; None if they are unknown.
    """

    dataset: SparkDataset
    counts: Counts
    change: Change | None = None
    overwrote: bool = False
    column_lineage: ColumnLineageDatasetFacet | None = None
    report: IcebergCommitReportOutputDatasetFacet | None = None
    continues: bool = False
    sources: Sources = None


class Recorder:
    """Record the inputs and outputs of a run.

    Args:
        builder: Builder of the run's events.
        lock: Held while the builder is changed or an event is composed.
        names: The names that the user passed for datasets, if the run belongs to another one.
        reports_outputs: Whether the events of the run contain its outputs. Otherwise each write has a run.
    """

    def __init__(
        self,
        builder: RunEventBuilder,
        lock: AbstractContextManager[Any],
        names: DatasetNames | None = None,
        *,
        reports_outputs: bool = True,
    ) -> None:
        self._builder = builder
        self._lock = lock
        self.names = DatasetNames() if names is None else names
        """The names that the user passed for datasets."""
        self._reports_outputs = reports_outputs
        self.facets = RecordedFacets(builder, lock, reports_outputs=reports_outputs)
        self.inputs = RecordedInputs(self.facets, lock, self.names)
        self._written: dict[Identity, FinishedWrite] = {}
        self._changes = LifecycleChanges()
        self._rejected: dict[Identity, PlannedWrite] = {}
        """The outputs of which nothing but a write is known that Spark has refused."""
        self._settled: dict[Identity, Facets] = {}
        """The facets of outputs, without those of planned writes."""
        self._sources = OutputSources()
        self._lineage: LineageJobFacet | None = None

    def add_collected(self, found: Iterable[SparkDataset]) -> None:
        """Note inputs whose rows Python has received, which may write them."""
        collected = [self.names.apply(dataset).identity for dataset in found]
        with self._lock:
            self._sources.collect(collected)

    def plan_write(self, write: PlannedWrite) -> None:
        """Add an output that is about to be written.

        Its inputs and the sources of its columns are added to those of earlier writes until it is refused.
        """
        identity = write.dataset.identity
        with self._lock:
            self._rejected.pop(identity, None)
            self._sources.plan(identity, write.origin)
            self.facets.add_output(identity, [*write.dataset.facets, *self._lineage_of(identity)])

    def add_write(self, write: FinishedWrite) -> None:
        """Add a successful write to those before it."""
        identity = write.dataset.identity
        with self._lock:
            self._sources.use(write.sources)
            if write.overwrote:
                self._forget_written(identity)
            origin = Origin.of(write.sources, write.column_lineage)
            self._sources.add(identity, origin, is_new=write.change == "CREATE")
            earlier = self._written.get(identity)
            if earlier is not None:
                write = replace(
                    write,
                    counts=earlier.counts + write.counts,
                    continues=write.continues or earlier.continues,
                )
            self._written[identity] = write
            self._changes.add(identity, write.change)
            self._set_output(identity, self._facets_of(write))

    def fail_write(self, write: PlannedWrite) -> None:
        """Add a write that has failed while it was executed, and may have left rows."""
        identity = write.dataset.identity
        with self._lock:
            self._sources.fail(identity, write.origin)
            self._set_output(identity, [*write.dataset.facets, *self._lineage_of(identity)])

    def _facets_of(self, write: FinishedWrite) -> list[Any]:
        identity = write.dataset.identity
        facets: list[Any] = [*write.dataset.facets, *self._lineage_of(identity)]
        facets.extend(self._changes.facets_of(identity))
        if write.report is not None:
            facets.append(write.report)
        # What is no longer true of an earlier write is taken back: its columns if they are replaced, and its
        # rows if those of this one are not counted.
        facets.extend(self._replaced_lineage(identity))
        earlier = self.facets.outputs.get(identity, {})
        if (write.counts or "outputStatistics" in earlier) and not write.continues:
            facets.append(OutputStatisticsOutputDatasetFacet(**write.counts.statistics))
        return facets

    def end_streams(self, identity: Identity, counts: Counts) -> None:
        """Add what streams have written to a dataset, after all other writes of the run."""
        with self._lock:
            write = self._written.get(identity)
            if write is None:
                return
            write = replace(write, counts=write.counts + counts, continues=False)
            self._written[identity] = write
            self._set_output(identity, self._facets_of(write))

    def reject_write(self, write: PlannedWrite) -> None:
        """Take back a planned write that Spark has refused to execute.

        What is known from other writes and from definitions is restored. Without any, it is an output only
        if the run fails.
        """
        identity = write.dataset.identity
        with self._lock:
            self._sources.refuse(identity)
            settled = self._settled.get(identity)
            if settled is None:
                self._rejected[identity] = write
                return
            restored = list(settled.values())
            if "columnLineage" in self.facets.outputs[identity].keys() - settled.keys():
                restored.append(NO_LINEAGE.facet)
            self.facets.add_output(identity, restored)

    def add_rejected(self) -> None:
        """Add the outputs of writes that Spark has refused to execute, for a run that has failed."""
        with self._lock:
            rejected = list(self._rejected.values())
        for write in rejected:
            self.plan_write(write)

    def discard_rejected(self) -> None:
        """Remove the outputs of writes that Spark has refused to execute, for a run that has succeeded."""
        with self._lock:
            for identity in self._rejected:
                self.facets.discard_output(identity)
                self._sources.discard(identity)
            self._rejected.clear()

    def add_definition(self, table: DefinedTable, sources: Sources = NO_SOURCES) -> None:
        """Add a table or view that a statement created, altered, renamed, truncated or dropped.

        Args:
            table: The table.
            sources: The inputs of the statement.
        """
        dataset, change, previous = table.dataset, table.change, table.previous
        facets: list[Any] = [*dataset.facets]
        identity = dataset.identity
        with self._lock:
            self._changes.add(identity, change, previous)
            facets.extend(self._changes.facets_of(identity))
            facets.extend(self._take_back_counts(table))
            if change == "RENAME" and previous is not None:
                self._move_written(previous, dataset)
            self._sources.define(identity, Origin.of(sources, table.lineage))
            if change == "RENAME" or table.lineage is not None:
                facets.extend(self._lineage_of(identity))
            if change == "OVERWRITE":
                facets.extend(self._replaced_lineage(identity))
            self._set_output(identity, facets)

    def _take_back_counts(self, table: DefinedTable) -> list[OutputStatisticsOutputDatasetFacet]:
        """Forget what the run has written to a table whose rows a statement has removed or replaced.

        The sources of rows that a restored version may contain are kept.
        """
        identity = table.dataset.identity
        rows_before = "removed" if table.change in _EMPTYING else table.rows_before
        if rows_before == "kept":
            return []
        if rows_before == "unknown":
            was_written = self._written.pop(identity, None) is not None
        else:
            was_written = self._forget_written(identity)
        counts = Counts(0, 0, 0) if rows_before == "removed" else Counts()
        return [OutputStatisticsOutputDatasetFacet(**counts.statistics)] if was_written else []

    def add_lineage(self) -> None:
        """Add the lineage facet of the job: what each output was written from.

        A facet that the user has added is kept.
        """
        if not self._reports_outputs:
            return
        with self._lock:
            if not (self._sources or self._lineage) or self._has_other_lineage():
                return
            columns = {
                identity: self._named(origin.lineage)
                for identity, origin in self._sources.origins().items()
                if origin.lineage
            }
            facet = run_lineage_facet(self._sources.known(self.facets.inputs.keys()), columns)
            if facet != self._lineage:
                self._lineage = facet
                self._builder.job.facet(facet)

    def outputs_with_unknown_rows(self) -> list[Identity]:
        """Return the outputs with rows that may be copies of inputs, although no plan shows it."""
        with self._lock:
            return self._sources.with_unknown_rows(self.facets.inputs.keys())

    def _move_written(self, previous: Identity, renamed: SparkDataset) -> None:
        """Give a renamed dataset what the run has written to it."""
        self._sources.move(previous, renamed.identity)
        written = self._written.pop(previous, None)
        if written is not None:
            self._written[renamed.identity] = replace(written, dataset=renamed)

    def _lineage_of(self, identity: Identity) -> list[ColumnLineageDatasetFacet]:
        """Return the column lineage of an output, if there is any."""
        lineage = self._sources.of(identity).lineage
        return [self._named(lineage)] if lineage else []

    def _replaced_lineage(self, identity: Identity) -> list[ColumnLineageDatasetFacet]:
        """Return what takes back the column lineage of an output, if its columns were replaced."""
        earlier = self.facets.outputs.get(identity, {})
        if "columnLineage" not in earlier or self._sources.of(identity).lineage:
            return []
        return [self._named(self._sources.replaced(identity).lineage)]

    def _named(self, lineage: MergedLineage) -> ColumnLineageDatasetFacet:
        """Return column lineage with the names that the user passed for datasets."""
        return self.names.apply_to_lineage(lineage).facet

    def _forget_written(self, identity: Identity) -> bool:
        """Forget what the run has written to a dataset that it replaces or empties, if anything."""
        self._sources.replace(identity)
        return self._written.pop(identity, None) is not None

    def _has_other_lineage(self) -> bool:
        facets = self._builder.job.build().facets
        lineage = None if facets is None else facets.lineage
        return lineage is not None and lineage != self._lineage

    def _set_output(self, identity: Identity, facets: Iterable[Any]) -> None:
        """Add facets of an output which do not depend on whether a planned write is executed."""
        with self._lock:
            self._rejected.pop(identity, None)
            self.facets.add_output(identity, facets)
            self._settled[identity] = dict(self.facets.outputs[identity])
