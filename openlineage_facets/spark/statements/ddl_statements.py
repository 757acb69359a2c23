"""Find what DDL statements create, alter, rename, truncate and drop.

A statement is parsed before it is executed, because afterwards a dropped or renamed table is not found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from openlineage_facets.facets import SymlinksDatasetFacet
from openlineage_facets.spark.datasets.inputs import inputs_of
from openlineage_facets.spark.datasets.sources import qualified_path
from openlineage_facets.spark.datasets.targets import (
    is_only_defined,
    table_at_path,
    table_target,
    view_target,
)
from openlineage_facets.spark.facets.dataset_facets import Change
from openlineage_facets.spark.jvm.objects import JavaObject, class_of, each, has_method, option, session_state
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from openlineage_facets.spark.naming import quoted_sql_name
from openlineage_facets.spark.spark_dataset import SparkDataset, datasets_at_paths
from openlineage_facets.spark.statements.defined_tables import NOTHING, DdlResult, DdlStatement, DefinedTable
from openlineage_facets.spark.statements.lake_statements import LAKE_READERS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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


def parse_ddl(spark: SparkSession, query: str) -> DdlStatement | None:
    """Parse a statement; None if it is not a supported DDL statement, or invalid.

    Args:
        spark: The session that will execute it.
        query: The statement.
    """
    word = _FIRST_WORD.match(query)
    if word is None or word[1].upper() not in _DDL_KEYWORDS:
        return None
    try:
        plan = session_state(spark).sqlParser().parsePlan(query)
    except Exception:  # The job's own call raises the error.
        return None
    kind = class_of(plan)
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(spark, plan)
    return _alter(spark, plan, "ALTER") if kind in _ALTER_COMMANDS else None


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
            identifier = found.identifier()
            parts = [*map(str, identifier.namespace()), str(identifier.name())]
            return quoted_sql_name([str(found.catalog().name()), *parts])
        if method == "tableName":
            return str(found.toString())
    return None


def _alter(spark: SparkSession, plan: JavaObject, change: Change | None) -> DdlStatement | None:
    """Return a statement that changes an existing table."""
    name = _name(plan)
    if name is None:
        return None

    def result() -> DdlResult:
        after = _table(spark, name)
        return DdlResult(tables=[DefinedTable(after, change)] if after is not None else [])

    return DdlStatement(result)


def _truncate(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    return _alter(spark, plan, "TRUNCATE" if class_of(plan) == "TruncateTable" else None)


def _create(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    name = _name(plan)
    if name is None:
        return None
    existed = _table(spark, name) is not None
    replaces = class_of(plan) == "ReplaceTable"

    def result() -> DdlResult:
        after = _table(spark, name) if replaces or not existed else None
        change: Change = "OVERWRITE" if existed else "CREATE"
        return DdlResult(tables=[DefinedTable(after, change)] if after is not None else [])

    return DdlStatement(result)


def _create_view(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    name = _name(plan)
    if name is None:
        return None
    existed = _table(spark, name) is not None
    skips = has_method(plan, "allowExisting") and bool(plan.allowExisting()) and existed

    def result() -> DdlResult:
        after = None if skips else _table(spark, name)
        if after is None:
            return DdlResult()
        query = spark.table(name)
        lineage = column_lineage_facet(query)
        return DdlResult(
            inputs_of(query), [DefinedTable(after, "ALTER" if existed else "CREATE", None, lineage)]
        )

    return DdlStatement(result)


def _drop(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    name = _name(plan)
    if name is None:
        return None
    before = _table(spark, name)
    if before is None:  # A temporary view, or `IF EXISTS`.
        return NOTHING
    dropped = DdlResult(tables=[DefinedTable(before, "DROP")])
    return DdlStatement(lambda: DdlResult() if _table(spark, name) is not None else dropped)


def _drop_namespace(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    if not bool(plan.cascade()):  # It is empty, or the statement fails.
        return NOTHING
    namespace = quoted_sql_name(str(part) for part in each(plan.namespace().multipartIdentifier()))
    if not spark.catalog.databaseExists(namespace):
        return NOTHING
    tables = [table for table in spark.catalog.listTables(namespace) if not table.isTemporary]
    names = [
        quoted_sql_name([*filter(None, [table.catalog]), *(table.namespace or []), table.name])
        for table in tables
    ]
    existing = [table for table in (_table(spark, name) for name in names) if table is not None]
    dropped = DdlResult(tables=[DefinedTable(table, "DROP") for table in existing])
    return DdlStatement(lambda: DdlResult() if spark.catalog.databaseExists(namespace) else dropped)


def _rename(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    old = _parts(plan)
    before = None if old is None else _table(spark, quoted_sql_name(old))
    if old is None or before is None:
        return None
    new = [str(part) for part in each(plan.newName())]
    new = [*old[: max(0, len(old) - len(new))], *new]

    def result() -> DdlResult:
        after = _table(spark, quoted_sql_name(new))
        if after is None:
            return DdlResult()
        previous = before.namespace, before.name
        if previous == (after.namespace, after.name):  # An external table keeps its location.
            previous = _name_in_catalog(before) or previous
        return DdlResult(tables=[DefinedTable(after, "RENAME", previous)])

    return DdlStatement(result)


def _read(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    """Return a statement that only reads a table, for its statistics or for the cache."""
    if class_of(plan) == "CacheTableAsSelect":
        name = str(plan.tempViewName())
    elif class_of(plan) == "CacheTable":
        name = quoted_sql_name(str(part) for part in each(plan.multipartIdentifier()))
    else:
        named = _name(plan)
        if named is None:
            return None
        name = named
    return DdlStatement(lambda: DdlResult(inputs_of(spark.table(name))))


def _load(spark: SparkSession, plan: JavaObject) -> DdlStatement | None:
    name = _name(plan)
    if name is None:
        return None
    path = str(plan.path())
    path = f"file:{path}" if bool(plan.isLocal()) and path.startswith("/") else qualified_path(spark, path)
    whole = bool(plan.isOverwrite()) and option(plan.partition()) is None

    def result() -> DdlResult:
        after = _table(spark, name)
        tables = [] if after is None else [DefinedTable(after, "OVERWRITE" if whole else None)]
        return DdlResult(datasets_at_paths([path]), tables)

    return DdlStatement(result)


def _name(plan: JavaObject) -> str | None:
    parts = _parts(plan)
    return None if parts is None else quoted_sql_name(parts)


def _parts(plan: JavaObject) -> list[str] | None:
    """Return the name of the table that a parsed command refers to; None if it is an expression."""
    if class_of(plan) == "CreateTableLikeCommand":  # Before Spark 4.1.
        table = plan.targetTable()
        return [*filter(None, [option(table.database())]), str(table.table())]
    target = plan.children().head()
    for method in ("multipartIdentifier", "nameParts"):
        if has_method(target, method):
            return [str(part) for part in each(getattr(target, method)())]
    return None


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


_READERS: dict[str, Callable[[SparkSession, JavaObject], DdlStatement | None]] = {
    "CreateTable": _create,
    "ReplaceTable": _create,
    "CreateTableLike": _create,
    "CreateTableLikeCommand": _create,
    "CreateView": _create_view,
    "AlterViewAs": _create_view,
    "DropTable": _drop,
    "DropView": _drop,
    "DropNamespace": _drop_namespace,
    "RenameTable": _rename,
    "TruncateTable": _truncate,
    "TruncatePartition": _truncate,
    "AnalyzeTable": _read,
    "AnalyzeColumn": _read,
    "CacheTable": _read,
    "CacheTableAsSelect": _read,
    "LoadData": _load,
    **LAKE_READERS,
}
