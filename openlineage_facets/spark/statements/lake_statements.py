"""Find what statements that only Delta or Iceberg have do to tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pyspark.sql import SparkSession

from openlineage_facets.spark.datasets.plan_sources import inputs_of
from openlineage_facets.spark.datasets.targets import with_written_schema
from openlineage_facets.spark.jvm import JavaObject, class_of, each, has_method, option, texts
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from openlineage_facets.spark.naming import parts_of_name, parts_of_relation, quoted_sql_name, table_exists
from openlineage_facets.spark.spark_dataset import Change, SparkDataset
from openlineage_facets.spark.statements import NOTHING, DdlResult, DefinedTable, FindResult, RowsBefore

_CHANGES_OF_TABLES = (
    "CreateOrReplaceBranch",
    "CreateOrReplaceTag",
    "DropBranch",
    "DropTag",
    "AddPartitionField",
    "DropPartitionField",
    "ReplacePartitionField",
    "SetIdentifierFields",
    "DropIdentifierFields",
    "SetWriteDistributionAndOrdering",
)
"""Iceberg's statements that change a table, but not its rows."""

_CHANGES_BY_PROCEDURE: dict[str, Change | None] = {
    "cherrypick_snapshot": None,
    "fast_forward": "OVERWRITE",
    "publish_changes": None,
    "rollback_to_snapshot": "OVERWRITE",
    "rollback_to_timestamp": "OVERWRITE",
    "set_current_snapshot": "OVERWRITE",
}
"""Iceberg's procedures that change the rows of the table in their first argument, `table`."""

_RESTORING = {"rollback_to_snapshot", "rollback_to_timestamp", "set_current_snapshot"}
"""Iceberg's procedures after which rows written before may be missing."""

_MAINTENANCE = {
    "ancestors_of",
    "compute_partition_stats",
    "compute_table_stats",
    "expire_snapshots",
    "remove_orphan_files",
    "rewrite_data_files",
    "rewrite_manifests",
    "rewrite_position_delete_files",
}
"""Iceberg's procedures that change no rows."""


def _restore(spark: SparkSession, plan: JavaObject) -> FindResult | None:
    """Return the result of restoring an old version of a Delta table."""
    name = _name(plan.table().relation())
    return None if name is None else partial(_changed, spark, name, "OVERWRITE", "unknown")


def _clone(spark: SparkSession, plan: JavaObject) -> FindResult | None:
    """Return the result of creating a Delta table from another table."""
    source = plan.source()
    is_old_version = class_of(source) == "TimeTravel"
    read, name = _name(source.relation() if is_old_version else source), _name(plan.target())
    if read is None or name is None:
        return None
    existed = table_exists(spark, name)
    if existed and bool(plan.ifNotExists()):
        return NOTHING

    def result() -> DdlResult:
        query = spark.table(read)
        inputs, clone = inputs_of(query), _current(spark, name)
        if is_old_version:
            inputs = [with_written_schema(dataset) for dataset in inputs]
        lineage = column_lineage_facet(query)
        if existed:
            return DdlResult(inputs, [DefinedTable(clone, "OVERWRITE", None, lineage, "replaced")])
        return DdlResult(inputs, [DefinedTable(clone, "CREATE", None, lineage)])

    return result


def _alter(spark: SparkSession, plan: JavaObject) -> FindResult:
    return partial(_changed, spark, quoted_sql_name(texts(plan.table())), "ALTER")


def _call(spark: SparkSession, plan: JavaObject) -> FindResult:
    """Return the result of a procedure, whose name Spark 3.5 leaves to Iceberg."""
    *qualifiers, procedure = texts(plan.name() if has_method(plan, "name") else plan.procedure().nameParts())
    if procedure.lower() in _MAINTENANCE:
        return NOTHING
    table = _table_argument(plan)
    if procedure.lower() not in _CHANGES_BY_PROCEDURE or table is None:
        return partial(DdlResult, unknown=f"CALL {procedure}")
    catalog = qualifiers[0] if len(qualifiers) > 1 else str(spark.catalog.currentCatalog())
    parts = parts_of_name(spark, table)
    is_resolved = parts[0] == catalog or (len(parts) == 1 and catalog == spark.catalog.currentCatalog())
    name = quoted_sql_name(parts if is_resolved else [catalog, *parts])
    rows_before: RowsBefore = "unknown" if procedure.lower() in _RESTORING else "kept"
    return partial(_changed, spark, name, _CHANGES_BY_PROCEDURE[procedure.lower()], rows_before)


def _table_argument(call: JavaObject) -> str | None:
    """Return the argument `table` of a procedure, which is the first one."""
    for position, argument in enumerate(each(call.args())):
        key, value = None, argument
        if class_of(argument) in ("NamedArgument", "NamedArgumentExpression"):
            is_expression = has_method(argument, "key")
            key = str(argument.key() if is_expression else argument.name())
            value = argument.value() if is_expression else argument.expr()
        elif class_of(argument) == "PositionalArgument":
            value = argument.expr()
        if (key or "").lower() == "table" or (key is None and position == 0):
            return str(value.toString())
    return None


def _changed(
    spark: SparkSession, name: str, change: Change | None, rows_before: RowsBefore = "kept"
) -> DdlResult:
    return DdlResult(tables=[DefinedTable(_current(spark, name), change, rows_before=rows_before)])


def _current(spark: SparkSession, name: str) -> SparkDataset:
    """Return a table, or a path such as delta.`/lake/orders`, with its current version."""
    (dataset,) = inputs_of(spark.table(name))
    return replace(dataset, table=name)


def _name(relation: JavaObject) -> str | None:
    parts = parts_of_relation(relation)
    if parts is None and class_of(relation) == "UnresolvedPathBasedDeltaTable":
        parts = ["delta", str(relation.path())]
    if parts is not None:
        return quoted_sql_name(parts)
    identifier = option(relation.tableIdentifier()) if has_method(relation, "tableIdentifier") else None
    return None if identifier is None else str(identifier.quotedString())


LAKE_READERS: dict[str, Callable[[SparkSession, JavaObject], FindResult | None]] = {
    "RestoreTableStatement": _restore,
    "CloneTableStatement": _clone,
    "Call": _call,
    "CallStatement": _call,
    **dict.fromkeys(_CHANGES_OF_TABLES, _alter),
}
