"""Record a query or command that Spark reports after it was executed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.command_capture import CommandCapture
from openlineage_facets.spark.capture.gaps import Gaps
from openlineage_facets.spark.capture.read_subsets import ReadSubsets
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.reported_writes import ReportedWrites
from openlineage_facets.spark.capture.write_results import WriteResults
from openlineage_facets.spark.datasets.inputs import datasets_of
from openlineage_facets.spark.datasets.internal_queries import finds_columns_of_csv, reads_delta_log
from openlineage_facets.spark.datasets.plan_sources import plan_sources
from openlineage_facets.spark.jvm.objects import JavaObject, class_of, option
from openlineage_facets.spark.plans.analyzed_plan import returns_command_result
from openlineage_facets.spark.plans.executed_scans import file_scans
from openlineage_facets.spark.statements.command_effects import effects_of, is_command
from openlineage_facets.spark.statements.ddl_statements import (
    executed_definition,
    reads_and_writes_nothing,
)


@dataclass(frozen=True)
class ExecutedQuery:
    """A query or command that Spark has executed.

    Args:
        execution: The JVM's QueryExecution.
        failed: It has failed.
    """

    execution: JavaObject
    failed: bool = False

    @cached_property
    def plan(self) -> JavaObject:
        """The analyzed plan. A DataFrame of the plan of a command would execute the command again."""
        return self.execution.analyzed()

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


class QueryCapture:
    """Record the queries and commands of a session.

    Args:
        session: The session that has executed them.
        recorder: Records inputs and outputs.
        results: Finds the results of writes.
        commands: Records what commands have done.
        subsets: Collects which parts of the inputs were read.
        gaps: What could not be captured.
    """

    def __init__(
        self,
        session: CapturedSession,
        recorder: Recorder,
        results: WriteResults,
        commands: CommandCapture,
        subsets: ReadSubsets,
        gaps: Gaps,
    ) -> None:
        self._spark = session.spark
        self._recorder = recorder
        self._results = results
        self._commands = commands
        self._subsets = subsets
        self._gaps = gaps

    def record(self, query: ExecutedQuery, reported: Sequence[ReportedWrites]) -> None:
        """Record the inputs of a query, or what a command has done, unless a call has reported it."""
        if is_command(self._spark, query.plan):
            self._record_command(query, reported)
        elif not returns_command_result(query.plan) and not _is_of_spark(query.plan):
            sources = plan_sources(self._spark, query.plan)
            self._recorder.add_executed_inputs(
                dataset
                for dataset in datasets_of(sources)
                if not any(calls.cover(dataset, query.began) for calls in reported)
            )

    def record_parts(self, query: ExecutedQuery) -> None:
        """Record which parts of its inputs a query has read."""
        if not query.failed and not finds_columns_of_csv(query.plan):
            self._subsets.add(file_scans(self._spark, query.execution))

    def _record_command(self, query: ExecutedQuery, reported: Sequence[ReportedWrites]) -> None:
        effects = effects_of(self._spark, query.plan)
        if not effects:
            if not any(calls.may_include(query.began) for calls in reported):
                self._record_definition(query)
            return
        names = self._recorder.names
        effects = [
            effect
            for effect in effects
            if not any(calls.include(names.apply(effect.dataset, True), query.began) for calls in reported)
        ]
        if not effects:
            return
        if query.failed:
            self._commands.record_failed(effects, query.began)
            return
        effects = [
            # The folder may be new: an INSERT of SQL requires one, but other writes do not.
            replace(effect, existed=None) if effect.overwrites and effect.dataset.table is None else effect
            for effect in effects
        ]
        measured = self._results.measure_query(query.execution, query.began)
        if measured is not None:
            self._commands.record(effects, measured, query.began)

    def _record_definition(self, query: ExecutedQuery) -> None:
        """Record a table that a library has created, altered or truncated, if no statement of the job did."""
        command = class_of(query.plan)
        if query.failed or reads_and_writes_nothing(command):
            return
        defined = executed_definition(self._spark, query.plan)
        if defined is None:
            self._gaps.add(f"the command {command}, which spark.sql did not execute alone")
        else:
            self._commands.record_definition(defined, query.began)


def _is_of_spark(plan: JavaObject) -> bool:
    """Return True for a query with which Spark or Delta prepares those of the job."""
    return reads_delta_log(plan) or finds_columns_of_csv(plan)
