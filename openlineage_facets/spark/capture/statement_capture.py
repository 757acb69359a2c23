"""Capture one SQL statement: execute it, record what it reads, writes and defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.command_capture import CommandCapture
from openlineage_facets.spark.capture.guard import Guard
from openlineage_facets.spark.capture.recorder import Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.capture.write_results import WriteResults
from openlineage_facets.spark.jvm.objects import class_of
from openlineage_facets.spark.metrics.write_metrics import ActionStart
from openlineage_facets.spark.statements.command_effects import effects_of, executed_plan, is_command
from openlineage_facets.spark.statements.ddl_statements import parse_ddl, reads_and_writes_nothing
from openlineage_facets.spark.statements.defined_tables import DdlStatement
from openlineage_facets.spark.statements.unexecuted_statements import (
    analyzed_without_execution,
    is_script,
    overwritten_folders,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class StatementCapture:
    """Capture the SQL statements of a run.

    Args:
        session: The session that executes them.
        recorder: Records inputs and outputs.
        results: Executes and measures statements.
        commands: Records what commands have done.
        guard: Runs the lineage code.
    """

    def __init__(
        self,
        session: CapturedSession,
        recorder: Recorder,
        results: WriteResults,
        commands: CommandCapture,
        guard: Guard,
    ) -> None:
        self._session = session
        self._spark = session.spark
        self._recorder = recorder
        self._results = results
        self._commands = commands
        self._guard = guard

    def statement(
        self, action: Callable[[], DataFrame], query: str, names: Mapping[str, Any], call: CapturedCall
    ) -> DataFrame:
        """Execute a SQL statement and capture its lineage; see `LineageCapture.statement`."""
        folders: dict[str, bool] = {}
        ddl: DdlStatement | None = None
        if self._session.has_jvm:
            with self._guard.step("find the folder that a SQL statement writes"):
                folders = overwritten_folders(self._spark, query, names)
            with self._guard.step("find the tables that a SQL statement defines"):
                ddl = parse_ddl(self._spark, query)
            with self._guard.step("find out whether a SQL statement is a script"):
                call.is_script = is_script(self._spark, query)
        try:
            df, start = self._results.execute(action)
        except Exception as error:
            with self._guard.step("find the inputs and outputs of a failed SQL statement"):
                self._record_failed(query, call, error)
            raise
        with self._guard.step("find the inputs and outputs of a SQL statement"):
            if ddl is not None:
                self._record_ddl(ddl, call)
            elif self._session.has_jvm:
                self._record_executed(df, start, folders, call)
            else:
                self._recorder.add_inputs(self._session.inputs(df))
        return df

    def _record_failed(self, query: str, call: CapturedCall, error: Exception) -> None:
        """Record the inputs and outputs of a statement that failed, from its analyzed plan."""
        plan = analyzed_without_execution(self._spark, query) if self._session.has_jvm else None
        if plan is None or not is_command(self._spark, plan):
            return
        self._commands.record_failed(effects_of(self._spark, plan), call.began, call, error)

    def _record_ddl(self, ddl: DdlStatement, call: CapturedCall) -> None:
        result = ddl.result()
        if result.unknown is not None:
            self._warn_not_captured(result.unknown)
        self._recorder.add_inputs(result.inputs)
        for table in result.tables:
            self._commands.record_definition(table, call.began, result.inputs, call)

    def _record_executed(
        self, df: DataFrame, start: ActionStart | None, folders: Mapping[str, bool], call: CapturedCall
    ) -> None:
        frame: Any = df._jdf
        plan = executed_plan(frame.queryExecution().analyzed())
        if not is_command(self._spark, plan):
            self._recorder.add_inputs(self._session.inputs(df))
            return
        effects = [
            replace(effect, existed=folders.get(effect.dataset.location or ""))
            if effect.existed is None
            else effect
            for effect in effects_of(self._spark, plan)
        ]
        if not effects:
            self._warn_not_captured(class_of(plan))
            return
        measured = self._results.measure(start, all(effect.may_skip for effect in effects))
        self._commands.record(effects, measured, call.began, call)

    def _warn_not_captured(self, command: str) -> None:
        if not reads_and_writes_nothing(command):
            self._guard.warn_once(
                f"capture {command}",
                f"the SQL command {command} is not captured; add its inputs with run.read(df, "
                "dataset=(namespace, name)) and its outputs with run.build.output(namespace, name)",
            )
