"""Capture one SQL statement: execute it, record what it reads, writes and defines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.naming.storage import table_folder
from openlineage_facets.spark.capture.captured_run import CapturedRun, SessionCapture
from openlineage_facets.spark.capture.captured_session import CapturedSession
from openlineage_facets.spark.capture.query_capture import CommandCapture
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.datasets.plan_sources import datasets_of, plan_sources
from openlineage_facets.spark.datasets.sources import have_unknown_rows, path_exists, qualified_path
from openlineage_facets.spark.datasets.targets import table_target
from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    hadoop_path,
    members,
    option,
    session_state,
    texts,
)
from openlineage_facets.spark.metrics.write_metrics import ActionStart
from openlineage_facets.spark.naming import quoted_sql_name
from openlineage_facets.spark.statements import DdlResult, FindResult
from openlineage_facets.spark.statements.command_effects import effects_of, executed_plan, is_command
from openlineage_facets.spark.statements.ddl_statements import (
    executed_definition,
    parse_ddl,
    reads_and_writes_nothing,
)

_SCRIPT = "CompoundBody"
_EXECUTED_BY_ANALYSIS = (
    _SCRIPT,
    "Call",
    "CallStatement",
    "ExecuteImmediateQuery",
    "UnresolvedExecuteImmediate",
)
"""Parsed statements that execute others, or a procedure, while Spark analyzes them."""


_IDENTIFIER = re.compile(r"\bIDENTIFIER\s*\(\s*(?::(?P<name>\w+)|\?)\s*\)", re.IGNORECASE)
"""A name that is a parameter, `IDENTIFIER(:name)` or `IDENTIFIER(?)`."""

_QUOTES = ("'", '"', "`", "--", "/*")
"""What may precede a question mark that is no parameter."""


class _Placeholder:
    """Replaces each DataFrame or value of a statement, as in `{df}`, `{df.name}` and `{df[name]}`."""

    def __getattr__(self, name: str) -> _Placeholder:
        return self

    def __getitem__(self, name: object) -> _Placeholder:
        return self

    def __format__(self, specification: str) -> str:
        return "placeholder"


def with_identifiers(query: str, args: Any) -> str:
    """Return a statement with the names that its parameters contain, as far as they are texts.

    Args:
        query: The statement.
        args: The values of its parameters, by name or in their order.
    """

    def name_of(match: re.Match[str]) -> str:
        value: Any = None
        if isinstance(args, Mapping):
            value = args.get(match["name"])
        elif isinstance(args, Sequence) and match["name"] is None:
            before = query[: match.start()]
            position = before.count("?")
            if position < len(args) and not any(quote in before for quote in _QUOTES):
                value = args[position]
        return value if isinstance(value, str) else match[0]

    return _IDENTIFIER.sub(name_of, query) if args else query


def overwritten_folders(spark: SparkSession, query: str, names: Mapping[str, Any]) -> dict[str, bool]:
    """Return the folders that `INSERT OVERWRITE DIRECTORY` replaces, and whether each exists.

    Such a statement is parsed, but not analyzed or executed. Other statements are not parsed.

    Args:
        spark: The session.
        query: The statement.
        names: DataFrames and values that it refers to.
    """
    if "directory" not in query.lower():
        return {}
    text = query.format(**dict.fromkeys(names, _Placeholder())) if names else query
    paths = _folders(session_state(spark).sqlParser().parsePlan(text))
    folders = [table_folder(qualified_path(spark, _path(spark, path))) for path in paths]
    return {folder: path_exists(spark, folder) for folder in folders}


def parsed_statement(spark: SparkSession, query: str) -> JavaObject | None:
    """Return the parsed plan of a statement; None for an invalid one."""
    try:
        return session_state(spark).sqlParser().parsePlan(query)
    except Exception:  # The job's own call raises the error.
        return None


def is_script(spark: SparkSession, query: str) -> bool:
    """Return True if a query is a SQL script, `BEGIN ... END`, whose statements Spark reports one by one."""
    parsed = parsed_statement(spark, query) if "begin" in query.lower() else None
    return parsed is not None and class_of(parsed) == _SCRIPT


def analyzed_without_execution(spark: SparkSession, parsed: JavaObject) -> JavaObject | None:
    """Return the analyzed form of a parsed plan without executing it; None if it cannot be analyzed."""
    jvm: JavaObject = spark.sparkContext._jvm
    skip = jvm.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()
    try:
        return session_state(spark).executePlan(parsed, skip).analyzed()
    except Exception:  # The job's own call raises the error.
        return None


def _folders(plan: JavaObject) -> list[JavaObject]:
    if class_of(plan) == "InsertIntoDir":
        location = option(plan.storage().locationUri())
        return [] if location is None else [location]
    return [folder for child in members(plan.children()) for folder in _folders(child)]


def _path(spark: SparkSession, location: JavaObject) -> str:
    return str(hadoop_path(spark, location).toString())


class StatementCapture(SessionCapture):
    """Capture the SQL statements of a run."""

    def __init__(self, session: CapturedSession, run: CapturedRun) -> None:
        super().__init__(session, run)
        self._commands = CommandCapture(session, run)

    def execute(
        self,
        action: Callable[[], DataFrame],
        query: str,
        names: Mapping[str, Any] | None = None,
        args: Any = None,
    ) -> DataFrame:
        """Execute a SQL statement, and record its text, its inputs and its outputs.

        Args:
            action: The job's own call.
            query: The statement.
            names: DataFrames and values that it refers to, as in `{df}`.
            args: The values of its parameters, as in `:name`.

        Returns:
            The result of the call.
        """
        with self._guard.step("record the SQL statement"):
            if not self._run.job_facets.add_query(query):
                self._guard.warn_once(
                    "report all SQL statements",
                    "the sql facet contains only the first SQL statements of the run, because all of them "
                    "would be too many or too long; the inputs and outputs of every statement are captured",
                )
        with self._captured_call() as call:
            return self._execute(action, query, names or {}, args, call)

    def _execute(
        self,
        action: Callable[[], DataFrame],
        query: str,
        names: Mapping[str, Any],
        args: Any,
        call: CapturedCall,
    ) -> DataFrame:
        with self._guard.step("find the names in the parameters of a SQL statement"):
            query = with_identifiers(query, args)
        folders: dict[str, bool] = {}
        find_result: FindResult | None = None
        if self._session.has_jvm:
            with self._guard.step("find the folder that a SQL statement writes"):
                folders = overwritten_folders(self._spark, query, names)
            with self._guard.step("find the tables that a SQL statement defines"):
                find_result = parse_ddl(self._spark, query)
            with self._guard.step("find out whether a SQL statement is a script"):
                call.is_script = is_script(self._spark, query)
        try:
            df, start = self._session.execute(action)
        except Exception as error:
            with self._guard.step("find the inputs and outputs of a failed SQL statement"):
                self._record_failed(query, call, error)
            raise
        with self._guard.step("find the inputs and outputs of a SQL statement"):
            if find_result is not None:
                self._record_ddl(find_result(), call)
            elif self._session.has_jvm:
                self._record_executed(df, start, folders, call)
            else:
                self._recorder.inputs.add(self._session.inputs(df))
        return df

    def _record_failed(self, query: str, call: CapturedCall, error: Exception) -> None:
        """Record the inputs and outputs of a statement that failed, from its analyzed plan."""
        parsed = parsed_statement(self._spark, query) if self._session.has_jvm else None
        if parsed is None or class_of(parsed) in _EXECUTED_BY_ANALYSIS:
            return
        plan = analyzed_without_execution(self._spark, parsed)
        if plan is None:
            self._record_rejected(parsed, call, error)
        elif is_command(self._spark, plan):
            self._commands.record_failed(effects_of(self._spark, plan), call, error)

    def _record_rejected(self, parsed: JavaObject, call: CapturedCall, error: Exception) -> None:
        """Record the inputs and the output of an INSERT whose rows do not match its table."""
        is_insert = class_of(parsed) == "InsertIntoStatement"
        if not is_insert or class_of(parsed.table()) != "UnresolvedRelation":
            return
        name = quoted_sql_name(texts(parsed.table().multipartIdentifier()))
        rows = analyzed_without_execution(self._spark, parsed.query())
        if rows is None or not self._spark.catalog.tableExists(name):
            return
        sources = plan_sources(self._spark, rows)
        write = self._new_write(call)
        write.add_inputs(datasets_of(sources), has_unknown_rows=have_unknown_rows(sources))
        write.plan(write.output(table_target(self._spark, name)))
        write.fail(error)

    def _record_ddl(self, result: DdlResult, call: CapturedCall) -> None:
        if result.unknown is not None:
            self._warn_not_captured(result.unknown)
        self._recorder.inputs.add(result.inputs)
        for table in result.tables:
            self._commands.record_definition(table, call, result.inputs)

    def _record_executed(
        self, df: DataFrame, start: ActionStart | None, folders: Mapping[str, bool], call: CapturedCall
    ) -> None:
        frame: Any = df._jdf
        plan = executed_plan(frame.queryExecution().analyzed())
        if not is_command(self._spark, plan):
            self._recorder.inputs.add(self._session.inputs(df))
            return
        effects = [
            replace(effect, existed=folders.get(effect.dataset.location or ""))
            if effect.existed is None
            else effect
            for effect in effects_of(self._spark, plan)
        ]
        if not effects:
            self._record_executed_definition(plan, call)
            return
        measured = self._session.measure(start, all(effect.may_skip for effect in effects))
        self._commands.record(effects, measured, call)

    def _record_executed_definition(self, plan: JavaObject, call: CapturedCall) -> None:
        """Record the table that a command has defined whose text does not name it."""
        defined = executed_definition(self._spark, plan)
        if defined is None:
            self._warn_not_captured(class_of(plan))
        else:
            self._commands.record_definition(defined, call)

    def _warn_not_captured(self, command: str) -> None:
        if not reads_and_writes_nothing(command):
            self._guard.warn_once(
                f"capture {command}",
                f"the SQL command {command} is not captured; add its inputs with run.read(df, "
                "dataset=(namespace, name)) and its outputs with run.build.output(namespace, name)",
            )
