"""Find what a SQL statement will write without executing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from openlineage_facets.naming.storage import table_folder
from openlineage_facets.spark.datasets.file_sources import qualified_path
from openlineage_facets.spark.facets.lifecycle import path_exists
from openlineage_facets.spark.jvm.objects import JavaObject, class_of, hadoop_path, option, session_state
from openlineage_facets.spark.jvm.session import members

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SCRIPT = "CompoundBody"
_EXECUTED_BY_ANALYSIS = (
    _SCRIPT,
    "Call",
    "CallStatement",
    "ExecuteImmediateQuery",
    "UnresolvedExecuteImmediate",
)
"""Parsed statements that execute others, or a procedure, while Spark analyzes them."""


class _Placeholder:
    """Replaces each DataFrame or value of a statement, as in `{df}`, `{df.name}` and `{df[name]}`."""

    def __getattr__(self, name: str) -> _Placeholder:
        return self

    def __getitem__(self, name: object) -> _Placeholder:
        return self

    def __format__(self, specification: str) -> str:
        return "placeholder"


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


def is_script(spark: SparkSession, query: str) -> bool:
    """Return True if a query is a SQL script, `BEGIN ... END`, whose statements Spark reports one by one."""
    if "begin" not in query.lower():
        return False
    try:
        return class_of(session_state(spark).sqlParser().parsePlan(query)) == _SCRIPT
    except Exception:  # The job's own call raises the error.
        return False


def analyzed_without_execution(spark: SparkSession, query: str) -> JavaObject | None:
    """Return the analyzed plan of a statement without executing it; None if that is impossible.

    It is impossible for an invalid statement, and for one that Spark executes while it analyzes it.
    """
    jvm: JavaObject = spark.sparkContext._jvm
    state = session_state(spark)
    try:
        plan = state.sqlParser().parsePlan(query)
        if class_of(plan) in _EXECUTED_BY_ANALYSIS:
            return None
        skip = jvm.org.apache.spark.sql.execution.CommandExecutionMode.SKIP()
        return state.executePlan(plan, skip).analyzed()
    except Exception:  # The job's own call raises the error.
        return None


def _folders(plan: JavaObject) -> list[JavaObject]:
    if class_of(plan) == "InsertIntoDir":
        location = option(plan.storage().locationUri())
        return [] if location is None else [location]
    return [folder for child in members(plan.children()) for folder in _folders(child)]


def _path(spark: SparkSession, location: JavaObject) -> str:
    return str(hadoop_path(spark, location).toString())
