"""Record what commands have done: executed SQL statements, and writes that Spark reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from openlineage_facets.spark.capture.dataset_names import identity_of
from openlineage_facets.spark.capture.quality_observations import QualityObservations
from openlineage_facets.spark.capture.recorded_write import NewWrite, RecordedWrite
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.capture.write_results import WriteResults
from openlineage_facets.spark.capture.write_targets import WriteTarget
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics
from openlineage_facets.spark.spark_dataset import SparkDataset
from openlineage_facets.spark.statements.command_effects import CommandEffect
from openlineage_facets.spark.statements.defined_tables import DefinedTable


class CommandCapture:
    """Record the effects of commands.

    Args:
        recorder: Records inputs and outputs.
        new_write: Returns what records one write.
        results: Finds the results of writes.
        quality: Data quality of the run's inputs.
    """

    def __init__(
        self, recorder: Recorder, new_write: NewWrite, results: WriteResults, quality: QualityObservations
    ) -> None:
        self._recorder = recorder
        self._new_write = new_write
        self._results = results
        self._quality = quality

    def record(
        self,
        effects: Sequence[CommandEffect],
        measured: ActionMetrics,
        began: int,
        call: CapturedCall | None = None,
    ) -> None:
        """Record the effects of a command that was executed.

        Args:
            effects: What it did to each dataset.
            measured: What Spark counted.
            began: When it began, in milliseconds since 1970.
            call: The call of the job that executed it, if it is known.
        """
        writes = [(effect, self._new_write(began)) for effect in effects]
        for effect, write in writes:
            own = measured
            if len(effects) > 1:
                own = replace(measured, written=measured.written_to(effect.dataset.location))
            self._record_one(effect, write, own, call)
        read = {identity_of(dataset): dataset for effect in effects for dataset in effect.countable_inputs}
        repeated = any(effect.rereads for effect in effects)
        counted = self._results.record_scans(list(read.values()), measured, repeated=repeated)
        of_batches = [scan for effect in effects for scan in effect.batches]
        of_batches = self._recorder.add_scans(read.values(), of_batches)
        for effect, write in writes:
            write.add_scans(effect.countable_inputs, counted, repeated=repeated)
            write.add_scans(effect.countable_inputs, of_batches)
            write.complete()
        self._quality.report(measured)

    def record_failed(
        self,
        effects: Sequence[CommandEffect],
        began: int,
        call: CapturedCall | None = None,
        error: Exception | None = None,
    ) -> None:
        """Record the inputs and outputs of a command that failed; see `record`."""
        for effect in effects:
            write = self._new_write(began)
            write.add_inputs(effect.inputs)
            output = self._recorder.names.apply(effect.dataset, True)
            if call is not None:
                call.writes(output)
            write.plan(output, effect.lineage)
            write.fail(error)

    def record_definition(
        self,
        table: DefinedTable,
        began: int,
        inputs: Sequence[SparkDataset] = (),
        call: CapturedCall | None = None,
    ) -> None:
        """Record a table or view that a command has defined or changed.

        Args:
            table: The table.
            began: When the command began, in milliseconds since 1970.
            inputs: What the command reads.
            call: The call of the job that executed it, if it is known.
        """
        write = self._new_write(began)
        write.add_inputs(inputs)
        dataset = self._recorder.names.apply(table.dataset, True)
        if call is not None:
            call.writes(dataset)
        write.add_definition(dataset, table.change, table.previous, table.lineage)
        write.complete()

    def _record_one(
        self,
        effect: CommandEffect,
        write: RecordedWrite,
        measured: ActionMetrics,
        call: CapturedCall | None,
    ) -> None:
        """Record what a command did to one dataset."""
        dataset = self._recorder.names.apply(effect.dataset, True)
        if call is not None:
            call.writes(dataset)
        target = WriteTarget(dataset, effect.existed, effect.overwrites, effect.may_skip)
        commit = self._results.commit(effect.dataset, measured)
        # The plan's table is by now the one after the write; as an input it is the one before.
        written = effect.dataset.namespace, effect.dataset.name
        inputs = [
            commit.dataset_before(found)
            if commit is not None and (found.namespace, found.name) == written
            else found
            for found in effect.inputs
        ]
        write.add_inputs(inputs)
        self._results.record_write(write, target, commit, measured, effect.lineage)
