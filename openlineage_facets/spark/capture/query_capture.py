"""Record what executed queries and commands read, write and define.

Delta reads its own log with queries, and Spark finds the columns of CSV files with them. These are no queries
of the job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from openlineage_facets.spark.analyzed_plan import leaves_of, returns_command_result
from openlineage_facets.spark.capture.captured_run import CapturedRun, SessionCapture
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.read_subsets import file_scans
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.reported_writes import CapturedCall, ReportedWrites
from openlineage_facets.spark.capture.write_targets import WriteTarget
from openlineage_facets.spark.datasets.plan_sources import datasets_of, plan_sources
from openlineage_facets.spark.jvm import JavaObject, class_of, each, is_a, option
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.write_metrics import ActionMetrics
from openlineage_facets.spark.spark_dataset import SparkDataset
from openlineage_facets.spark.statements import DefinedTable
from openlineage_facets.spark.statements.command_effects import CommandEffect, effects_of, is_command
from openlineage_facets.spark.statements.ddl_statements import (
    executed_definition,
    ignores_existing_table,
    reads_and_writes_nothing,
)

_ACTIONS = {"add", "remove", "metaData", "protocol"}
"""Columns of the log, one for each kind of action."""

_RDDS = ("Delta Table State", "Delta Source Snapshot", "mergeMaterializedSource")
"""Names of the RDDs in which Delta keeps its log, the files of a stream or a MERGE source."""


def reads_delta_log(plan: JavaObject) -> bool:
    """Return True if a plan reads the log of a Delta table, from its files or from Delta's cache."""
    return any(map(_is_log, leaves_of(plan)))


def _is_log(leaf: JavaObject) -> bool:
    kind = class_of(leaf)
    if kind == "LogicalRelation":
        relation = leaf.relation()
        if not is_a(relation, "HadoopFsRelation"):
            return False
        return class_of(relation.location()) == "DeltaLogFileIndex"
    if kind == "LogicalRDD" and {str(column.name()) for column in each(leaf.output())} >= _ACTIONS:
        return True
    if kind not in ("LogicalRDD", "ExternalRDD"):
        return False
    ancestors = str(leaf.rdd().toDebugString())  # A stream numbers the files of the log in another RDD.
    return any(name in ancestors for name in _RDDS)


_PASSED = ("DeserializeToObject", "Filter", "GlobalLimit", "LocalLimit", "Project", "Sample")


def finds_columns_of_csv(query: ExecutedQuery) -> bool:
    """Return True if a query reads CSV files as text, as `spark.read.csv` without a schema does.

    Spark reads the first line that is not empty, and all lines as objects of the JVM. The job reads the
    folder of the files, if it reads them at all. What Python receives is a query of the job.
    """
    plan = query.plan
    if query.collects or class_of(plan) not in ("DeserializeToObject", "GlobalLimit"):
        return False
    is_found = class_of(plan) == "DeserializeToObject"
    while class_of(plan) in _PASSED:
        is_found |= class_of(plan) == "Filter" and _is_length_of_trimmed(plan.condition())
        plan = plan.child()
    return (
        is_found
        and class_of(plan) == "LogicalRelation"
        and is_a(plan.relation(), "HadoopFsRelation")
        and class_of(plan.relation().fileFormat()) == "TextFileFormat"
    )


def _is_length_of_trimmed(condition: JavaObject) -> bool:
    """Return True for `length(trim(value)) > 0`."""
    if class_of(condition) != "GreaterThan" or class_of(condition.left()) != "Length":
        return False
    return class_of(condition.left().child()) == "StringTrim"


class CommandCapture(SessionCapture):
    """Record the effects of commands."""

    def record(
        self,
        effects: Sequence[CommandEffect],
        measured: ActionMetrics,
        call: CapturedCall,
    ) -> None:
        """Record the effects of a command that was executed.

        Args:
            effects: What it did to each dataset.
            measured: What Spark counted.
            call: The command, or the call of the job that executed it.
        """
        writes = [(effect, self._new_write(call)) for effect in effects]
        written = _written_by(effects, measured)
        for (effect, write), counts in zip(writes, written, strict=True):
            self._record_one(effect, write, replace(measured, written=counts))
        read = {dataset.identity: dataset for effect in effects for dataset in effect.countable_inputs}
        repeated = any(effect.rereads for effect in effects)
        counted = self._record_scans(read.values(), measured, repeated=repeated)
        of_batches = [scan for effect in effects for scan in effect.sources.batches]
        of_batches = self._recorder.inputs.add_scans(read.values(), of_batches)
        for effect, write in writes:
            write.add_scans(effect.countable_inputs, counted, repeated=repeated)
            write.add_scans(effect.countable_inputs, of_batches)
            write.complete()
        self._run.quality.report(measured)

    def record_failed(
        self,
        effects: Sequence[CommandEffect],
        call: CapturedCall,
        error: Exception | None = None,
    ) -> None:
        """Record the inputs and outputs of a command that failed; see `record`."""
        for effect in effects:
            write = self._new_write(call)
            write.add_inputs(effect.inputs, has_unknown_rows=effect.sources.has_unknown_rows)
            write.plan(write.output(effect.dataset), effect.sources.lineage)
            write.fail(error)

    def record_definition(
        self,
        table: DefinedTable,
        call: CapturedCall,
        inputs: Sequence[SparkDataset] = (),
    ) -> None:
        """Record a table or view that a command has defined or changed.

        Args:
            table: The table.
            call: The command, or the call of the job that executed it.
            inputs: What the command reads.
        """
        write = self._new_write(call)
        write.add_inputs(inputs)
        write.add_definition(replace(table, dataset=write.output(table.dataset)))
        write.complete()

    def _record_one(self, effect: CommandEffect, write: RecordedWrite, measured: ActionMetrics) -> None:
        """Record what a command did to one dataset."""
        output = write.output(effect.dataset)
        target = WriteTarget(output, effect.existed, effect.overwrites, effect.may_skip)
        commit = self._session.commit(effect.dataset, measured)
        # The plan's table is by now the one after the write; as an input it is the one before.
        written = effect.dataset.identity
        inputs = [
            commit.dataset_before(found) if commit is not None and found.identity == written else found
            for found in effect.inputs
        ]
        write.add_inputs(inputs, has_unknown_rows=effect.sources.has_unknown_rows)
        write.add_measured(target, commit, measured, effect.sources.lineage)


def _written_by(effects: Sequence[CommandEffect], measured: ActionMetrics) -> list[Counts]:
    """Return what a command wrote for each of its effects, of which several may be on one dataset."""
    if len(effects) == 1:
        return [measured.written]
    places = Counter(effect.dataset.location for effect in effects)
    written = {place: iter(measured.written_to(place, number)) for place, number in places.items()}
    return [next(written[effect.dataset.location]) for effect in effects]


@dataclass(frozen=True)
class ExecutedQuery:
    """A query or command that Spark has executed.

    Args:
        execution: The JVM's QueryExecution.
        failed: It has failed.
        action: The name of the method that executed it, such as "collectToPython".
    """

    execution: JavaObject
    failed: bool = False
    action: str = ""

    @cached_property
    def plan(self) -> JavaObject:
        """The analyzed plan. A DataFrame of the plan of a command would execute the command again."""
        return self.execution.analyzed()

    @property
    def collects(self) -> bool:
        """Whether Python receives the rows, as by `collect`, `take`, `tail` and `toPandas`."""
        return self.action.endswith("ToPython")

    @cached_property
    def was_executed(self) -> bool:
        """False if the analysis failed, for example because a table does not exist."""
        if not self.failed:
            return True
        try:
            return self.plan is not None
        except Exception:  # The error of the analysis, which the job has received.
            return False

    @cached_property
    def began(self) -> int:
        """When Spark analyzed it, in milliseconds since 1970: for a command, when it was executed."""
        analysis = option(self.execution.tracker().phases().get("analysis"))
        return 0 if analysis is None else int(analysis.startTimeMs())


class QueryCapture(SessionCapture):
    """Record the queries and commands of a session."""

    def __init__(self, session: CapturedSession, run: CapturedRun) -> None:
        super().__init__(session, run)
        self._commands = CommandCapture(session, run)

    def record(self, query: ExecutedQuery, reported: Sequence[ReportedWrites]) -> None:
        """Record the inputs of a query, or what a command has done, unless a call has reported it."""
        if is_command(self._spark, query.plan):
            self._record_command(query, reported)
        elif not returns_command_result(query.plan) and not _is_of_spark(query):
            sources = plan_sources(self._spark, query.plan)
            datasets = [
                dataset
                for dataset in datasets_of(sources)
                if not any(calls.uses_folder_of(dataset, query.began) for calls in reported)
            ]
            self._recorder.inputs.add_executed(datasets)
            if query.collects:
                self._recorder.add_collected(datasets)

    def record_parts(self, query: ExecutedQuery) -> None:
        """Record which parts of its inputs a query has read."""
        if finds_columns_of_csv(query):
            return
        scans = None if query.failed else file_scans(self._spark, query.execution)
        if scans is None:
            read = datasets_of(plan_sources(self._spark, query.plan))
            self._run.subsets.add_unreported(map(self._recorder.names.apply, read))
        else:
            self._run.subsets.add(scans)

    def _record_command(self, query: ExecutedQuery, reported: Sequence[ReportedWrites]) -> None:
        effects = effects_of(self._spark, query.plan)
        if not effects:
            self._record_definition(query, reported)
            return
        effects = [effect for effect in effects if not self._has_reported(effect.dataset, query, reported)]
        if not effects:
            return
        if query.failed:
            self._commands.record_failed(effects, CapturedCall(query.began))
            return
        effects = [
            # The folder may be new: an INSERT of SQL requires one, but other writes do not.
            replace(effect, existed=None) if effect.overwrites and effect.dataset.table is None else effect
            for effect in effects
        ]
        measured = self._session.measure_query(query.execution, query.began)
        if measured is not None:
            self._commands.record(effects, measured, CapturedCall(query.began))

    def _record_definition(self, query: ExecutedQuery, reported: Sequence[ReportedWrites]) -> None:
        """Record a table that a library has created, altered or truncated, if no statement of the job did.

        A statement reports no table that it did not create because the table existed.
        """
        command = class_of(query.plan)
        if query.failed or reads_and_writes_nothing(command):
            return
        defined = executed_definition(self._spark, query.plan)
        if defined is None or ignores_existing_table(query.plan):
            is_reported = any(calls.may_have_reported(query.began) for calls in reported)
        else:
            is_reported = self._has_reported(defined.dataset, query, reported)
        if is_reported:
            return
        if defined is None:
            self._run.gaps.add(f"the command {command}, which spark.sql did not execute alone")
        else:
            self._commands.record_definition(defined, CapturedCall(query.began))

    def _has_reported(
        self, dataset: SparkDataset, query: ExecutedQuery, reported: Sequence[ReportedWrites]
    ) -> bool:
        """Return True if a call of the job has reported that a command wrote or defined a dataset."""
        output = self._recorder.names.apply(dataset, True)
        return any(calls.has_reported(output, query.began) for calls in reported)


def _is_of_spark(query: ExecutedQuery) -> bool:
    """Return True for a query with which Spark or Delta prepares those of the job."""
    return reads_delta_log(query.plan) or finds_columns_of_csv(query)
