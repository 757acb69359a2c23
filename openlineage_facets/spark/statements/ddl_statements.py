"""Find what DDL statements create, alter, rename, truncate and drop.

A statement is parsed before it is executed, because afterwards a dropped or renamed table is not found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from pyspark.sql import SparkSession

from openlineage_facets.facets import SymlinksDatasetFacet
from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.datasets.sources import qualified_path
from openlineage_facets.spark.datasets.targets import (
    is_only_defined,
    table_at_path,
    table_target,
    view_target,
)
from openlineage_facets.spark.jvm import JavaObject, class_of, has_method, option, session_state, texts
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from openlineage_facets.spark.naming import parts_of_relation, quoted_sql_name
from openlineage_facets.spark.spark_dataset import Change, SparkDataset, datasets_at_paths
from openlineage_facets.spark.statements import NOTHING, DdlResult, DefinedTable, FindResult, RowsBefore
from openlineage_facets.spark.statements.lake_statements import LAKE_READERS

_FIRST_WORD = re.compile(r"(?:\s|--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/)*([A-Za-z]+)")
"""The first word after blanks and comments. Text that matches in two ways would take exponential time."""
_DDL_KEYWORDS = {
    "CREATE",
    "REPLACE",
    "DROP",
    "ALTER",
    "TRUNCATE",
    "MSCK",
    "REPAIR",
    "COMMENT",
    "ANALYZE",
    "CACHE",
    "LOAD",
    "RESTORE",
    "CALL",
}

_ALTER_COMMANDS = {
    "AddColumns",
    "DropColumns",
    "RenameColumn",
    "AlterColumn",
    "AlterColumns",
    "ReplaceColumns",
    "SetTableProperties",
    "UnsetTableProperties",
    "SetTableLocation",
    "SetTableSerDeProperties",
    "AlterTableClusterBy",
    "AlterTableCollation",
    "AddPartitions",
    "DropPartitions",
    "RenamePartitions",
    "RecoverPartitions",
    "RepairTable",
    "CommentOnTable",
    "CreateIndex",
    "DropIndex",
    "AddCheckConstraint",
    "DropConstraint",
}
"""Commands that change a table, but not its rows."""

_ALTERS_TABLE = re.compile(r"AlterTable(?!Rename(?!Partition|Column))\w+Command")
"""Commands of the session catalog that change a table, but not its name."""

_COMMANDS_WITHOUT_DATA = re.compile(
    r"(Set(Command|CatalogAndNamespace|CatalogCommand|NamespaceCommand|Variable)|Reset|Show|Describe|Desc|Explain|Use"
    r"|Refresh|Uncache|ClearCache|(Add|List)(Jars?|Files?|Archives?)|\w*(Function|Variable)(Command)?$"
    r"|CreateNamespace|CommentOnNamespace|SetNamespace|(Create|Alter)Database"
    r"|CreateTempView|CreateViewCommand|SaveAsV1TableCommand|DropTempView|CacheTable|DropTableCommand|ResolvedIdentifier"
    r"|OptimizeTableCommand|VacuumTableCommand|DeltaReorgTableCommand).*"
)
"""Commands that neither read nor write data, or only change how Delta stores it."""


def parse_ddl(spark: SparkSession, query: str) -> FindResult | None:
    """Parse a statement; None if it is not a supported DDL statement, or invalid.

    Args:
        spark: The session that will execute it.
        query: The statement.

    Returns:
        A function that returns what the statement did, after it was executed.
    """
    word = _FIRST_WORD.match(query)
    if word is None or word[1].upper() not in _DDL_KEYWORDS:
        return None
    try:
        plan = session_state(spark).sqlParser().parsePlan(query)
    except Exception:  # The job's own call raises the error.
        return None
    reader = _READERS.get(class_of(plan))
    if reader is not None:
        return reader(spark, plan)
    reader_of_table = _READERS_OF_TABLES.get(class_of(plan))
    parts = None if reader_of_table is None else _parts(plan)
    if reader_of_table is None or parts is None:
        return None
    return reader_of_table(spark, plan, quoted_sql_name(parts))


def reads_and_writes_nothing(command: str) -> bool:
    """Return True if a command, given by the name of its class, neither reads nor writes data."""
    return _COMMANDS_WITHOUT_DATA.fullmatch(command) is not None


def executed_definition(spark: SparkSession, command: JavaObject) -> DefinedTable | None:
    """Return what an executed command did to a table that still exists; None for any other command.

    Args:
        spark: The session.
        command: The JVM's analyzed plan.
    """
    kind = class_of(command)
    change: Change
    if kind in ("CreateDataSourceTableCommand", "CreateTableCommand", "CreateTable"):
        change = "CREATE"
    elif kind in ("TruncateTable", "TruncateTableCommand"):
        change = "TRUNCATE"
    elif kind in _ALTER_COMMANDS or _ALTERS_TABLE.fullmatch(kind):
        change = "ALTER"
    else:
        return None
    name = _name_of_executed(command)
    table = None if name is None else _table(spark, name)
    return None if table is None else DefinedTable(table, change)


def ignores_existing_table(command: JavaObject) -> bool:
    """Return True if a command does nothing if its table exists, as `CREATE TABLE IF NOT EXISTS`."""
    return has_method(command, "ignoreIfExists") and bool(command.ignoreIfExists())


def _name_of_executed(command: JavaObject) -> str | None:
    """Return the name of the table of an executed command."""
    for method in ("tableName", "table", "tableIdent", "child"):
        if not has_method(command, method):
            continue
        found = getattr(command, method)()
        kind = class_of(found)
        if kind == "TableIdentifier":
            return str(found.quotedString())
        if kind == "CatalogTable":
            return str(found.identifier().quotedString())
        if kind == "ResolvedTable":
            name = found.identifier()
            return quoted_sql_name(
                [str(found.catalog().name()), *map(str, name.namespace()), str(name.name())]
            )
        if method == "tableName":
            return str(found.toString())
    return None


def _changing(change: Change | None) -> _ReaderOfTable:
    """Return the reader of statements that change an existing table."""
    return lambda spark, plan, name: partial(_defined, spark, name, change)


def _defined(
    spark: SparkSession, name: str, change: Change | None, rows_before: RowsBefore = "kept"
) -> DdlResult:
    table = _table(spark, name)
    if table is None:
        return DdlResult()
    return DdlResult(tables=[DefinedTable(table, change, rows_before=rows_before)])


def _create(spark: SparkSession, plan: JavaObject, name: str) -> FindResult:
    existed = _table(spark, name) is not None
    if existed and class_of(plan) != "ReplaceTable":
        return NOTHING
    if existed:
        return partial(_defined, spark, name, "OVERWRITE", "removed")
    return partial(_defined, spark, name, "CREATE")


def _create_view(spark: SparkSession, plan: JavaObject, name: str) -> FindResult:
    existed = _table(spark, name) is not None
    if existed and has_method(plan, "allowExisting") and bool(plan.allowExisting()):
        return NOTHING

    def result() -> DdlResult:
        view = _table(spark, name)
        if view is None:
            return DdlResult()
        query = spark.table(name)
        lineage = column_lineage_facet(query)
        return DdlResult(
            inputs_of(query), [DefinedTable(view, "ALTER" if existed else "CREATE", None, lineage)]
        )

    return result


def _drop(spark: SparkSession, plan: JavaObject, name: str) -> FindResult:
    before = _table(spark, name)
    if before is None:  # A temporary view, or `IF EXISTS`.
        return NOTHING
    dropped = DdlResult(tables=[DefinedTable(before, "DROP")])
    return lambda: DdlResult() if _table(spark, name) is not None else dropped


def _drop_namespace(spark: SparkSession, plan: JavaObject) -> FindResult:
    if not bool(plan.cascade()):  # It is empty, or the statement fails.
        return NOTHING
    namespace = quoted_sql_name(texts(plan.namespace().multipartIdentifier()))
    if not spark.catalog.databaseExists(namespace):
        return NOTHING
    names = [
        quoted_sql_name([*filter(None, [table.catalog]), *(table.namespace or []), table.name])
        for table in spark.catalog.listTables(namespace)
        if not table.isTemporary
    ]
    existing = [table for table in (_table(spark, name) for name in names) if table is not None]
    dropped = DdlResult(tables=[DefinedTable(table, "DROP") for table in existing])
    return lambda: DdlResult() if spark.catalog.databaseExists(namespace) else dropped


def _rename(spark: SparkSession, plan: JavaObject) -> FindResult | None:
    old = _parts(plan)
    before = None if old is None else _table(spark, quoted_sql_name(old))
    if old is None or before is None:
        return None
    new = texts(plan.newName())
    new = [*old[: max(0, len(old) - len(new))], *new]

    def result() -> DdlResult:
        after = _table(spark, quoted_sql_name(new))
        if after is None:
            return DdlResult()
        previous = before.identity
        if previous == after.identity:  # An external table keeps its location.
            previous = _name_in_catalog(before) or previous
        return DdlResult(tables=[DefinedTable(after, "RENAME", previous)])

    return result


def _read(spark: SparkSession, plan: JavaObject, name: str) -> FindResult:
    """Return the result of a statement that only reads a table, for its statistics."""
    return lambda: DdlResult(inputs_of(spark.table(name)))


def _cache(spark: SparkSession, plan: JavaObject) -> FindResult:
    is_view = class_of(plan) == "CacheTableAsSelect"
    name = str(plan.tempViewName()) if is_view else quoted_sql_name(texts(plan.multipartIdentifier()))
    return _read(spark, plan, name)


def _load(spark: SparkSession, plan: JavaObject, name: str) -> FindResult:
    path = str(plan.path())
    path = f"file:{path}" if bool(plan.isLocal()) and path.startswith("/") else qualified_path(spark, path)
    whole = bool(plan.isOverwrite()) and option(plan.partition()) is None
    change: Change | None = "OVERWRITE" if whole else None
    rows_before: RowsBefore = "replaced" if whole else "kept"
    return lambda: replace(_defined(spark, name, change, rows_before), inputs=datasets_at_paths([path]))


def _parts(plan: JavaObject) -> list[str] | None:
    """Return the name of the table that a parsed command refers to; None if it is an expression."""
    if class_of(plan) == "CreateTableLikeCommand":  # Before Spark 4.1.
        table = plan.targetTable()
        return [*filter(None, [option(table.database())]), str(table.table())]
    return parts_of_relation(plan.children().head())


def _table(spark: SparkSession, name: str) -> SparkDataset | None:
    """Return a table or view of a catalog; None for one without data, temporary or missing."""
    if "/" in name:  # A table named by its path, such as delta.`/lake/orders`.
        return table_at_path(spark, name)
    if not spark.catalog.tableExists(name):
        return None
    known = spark.catalog.getTable(name)
    if known.isTemporary:
        return None
    if known.tableType == "VIEW":
        return view_target(spark, name, spark.table(name).schema)
    return None if is_only_defined(spark, name) else table_target(spark, name)


def _name_in_catalog(dataset: SparkDataset) -> tuple[str, str] | None:
    named = next((facet for facet in dataset.facets if isinstance(facet, SymlinksDatasetFacet)), None)
    first = named.identifiers[0] if named is not None and named.identifiers else None
    return None if first is None else (first.namespace, first.name)


_READERS: dict[str, Callable[[SparkSession, JavaObject], FindResult | None]] = {
    "DropNamespace": _drop_namespace,
    "RenameTable": _rename,
    "CacheTable": _cache,
    "CacheTableAsSelect": _cache,
    **LAKE_READERS,
}

_ReaderOfTable: TypeAlias = Callable[["SparkSession", JavaObject, str], FindResult]
"""Reads a command that refers to a table, with the name of the table."""

_READERS_OF_TABLES: dict[str, _ReaderOfTable] = {
    **dict.fromkeys(("CreateTable", "CreateTableLike", "CreateTableLikeCommand", "ReplaceTable"), _create),
    "CreateView": _create_view,
    "AlterViewAs": _create_view,
    "DropTable": _drop,
    "DropView": _drop,
    "TruncateTable": _changing("TRUNCATE"),
    "TruncatePartition": _changing(None),
    "AnalyzeTable": _read,
    "AnalyzeColumn": _read,
    "LoadData": _load,
    **dict.fromkeys(_ALTER_COMMANDS, _changing("ALTER")),
}
