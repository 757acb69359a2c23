"""Record what commands have done: executed SQL statements, and writes that Spark reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from openlineage_facets.spark.capture.dataset_names import identity_of
from openlineage_facets.spark.capture.quality_observations import QualityObservations
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.capture.write_results import WriteResults
from openlineage_facets.spark.capture.write_targets import WriteTarget
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics
from openlineage_facets.spark.statements.command_effects import CommandEffect

__all__ = ["CommandCapture"]


class CommandCapture:
    """Record the effects of commands.

    Args:
        recorder: Records inputs and outputs.
        results: Finds the results of writes.
        quality: Data quality of the run's inputs.
    """

    def __init__(self, recorder: Recorder, results: WriteResults, quality: QualityObservations) -> None:
        self._recorder = recorder
        self._results = results
        self._quality = quality

    def record(
        self, effects: Sequence[CommandEffect], measured: ActionMetrics, call: CapturedCall | None = None
    ) -> None:
        """Record the effects of a command that was executed.

        Args:
            effects: What it did to each dataset.
            measured: What Spark counted.
            call: The call of the job that executed it, if it is known.
        """
        for effect in effects:
            if len(effects) == 1:
                self._record_one(effect, measured, call)
            else:
                own = replace(measured, written=measured.written_to(effect.dataset.location))
                self._record_one(effect, own, call)
        read = {identity_of(dataset): dataset for effect in effects for dataset in effect.countable_inputs}
        repeated = any(effect.rereads for effect in effects)
        self._results.record_scans(list(read.values()), measured, repeated=repeated)
        self._recorder.add_scans(read.values(), [scan for effect in effects for scan in effect.batches])
        self._quality.report(measured)

    def record_failed(self, effects: Sequence[CommandEffect], call: CapturedCall | None = None) -> None:
        """Record the inputs and outputs of a command that failed."""
        for effect in effects:
            self._recorder.add_inputs(effect.inputs)
            output = self._recorder.names.apply(effect.dataset, True)
            if call is not None:
                call.writes(output)
            self._recorder.add_planned_output(output, effect.lineage)

    def _record_one(self, effect: CommandEffect, measured: ActionMetrics, call: CapturedCall | None) -> None:
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
        self._recorder.add_inputs(inputs)
        self._results.record_write(target, commit, measured, effect.lineage)
