"""What a SQL statement has written, as its analyzed plan tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.datasets import SparkDataset, path_target, table_target
from openlineage_facets.spark.jvm import class_of, option
from openlineage_facets.spark.session import frame_of_plan, members

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Effect", "effects", "is_command"]

_COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"


@dataclass(frozen=True)
class Effect:
    """What a statement has done to one dataset.

    Args:
        dataset: The dataset written to.
        source: The query whose rows were written; None where there is none.
        existed: Whether the dataset was there before; None where that is not known.
        overwrites: Whether everything it held was replaced.
        may_skip: Whether the statement does nothing where the dataset is there already.
    """

    dataset: SparkDataset
    source: DataFrame | None
    existed: bool | None
    overwrites: bool = False
    may_skip: bool = False


def is_command(spark: SparkSession, plan: Any) -> bool:
    """Tell whether a plan does something, where a query would return rows."""
    gateway: Any = spark.sparkContext._gateway
    return bool(gateway.jvm.Class.forName(_COMMAND).isInstance(plan)) or any(
        is_command(spark, child) for child in _inserts(plan)
    )


def effects(spark: SparkSession, plan: Any) -> list[Effect]:
    """Return what the command of an analyzed plan has written; nothing for other commands.

    Args:
        spark: The session that ran it.
        plan: The JVM's analyzed plan.
    """
    inserts = _inserts(plan)
    if inserts:
        return [effect for child in inserts for effect in effects(spark, child)]
    read = _READERS.get(class_of(plan))
    return [] if read is None else [read(spark, plan)]


def _inserts(plan: Any) -> list[Any]:
    """Return the parts of one INSERT into several tables, which stands as their union."""
    if class_of(plan) != "Union":
        return []
    children = list(members(plan.children()))
    return children if all(class_of(child) in _READERS for child in children) else []


def _insert_into_files(spark: SparkSession, plan: Any) -> Effect:
    source = frame_of_plan(spark, plan.query())
    table = option(plan.catalogTable())
    if table is not None:
        dataset = table_target(spark, table.identifier().unquotedString())
    else:
        path, written_as = plan.outputPath().toString(), plan.fileFormat().toString().lower()
        dataset = path_target(spark, path, source.schema, written_as)
    whole = plan.staticPartitions().isEmpty() and not plan.dynamicPartitionOverwrite()
    return Effect(dataset, source, True, overwrites=_overwrites(plan.mode()) and whole)


def _insert_into_folder(spark: SparkSession, plan: Any) -> Effect:
    source = frame_of_plan(spark, plan.query())
    location: Any = option(plan.storage().locationUri())
    dataset = path_target(spark, location.toString(), source.schema, str(plan.provider()).lower())
    return Effect(dataset, source, None, overwrites=bool(plan.overwrite()))


def _insert_into_hive(spark: SparkSession, plan: Any) -> Effect:
    dataset = table_target(spark, plan.table().identifier().unquotedString())
    whole = plan.partition().isEmpty()
    return Effect(
        dataset, frame_of_plan(spark, plan.query()), True, overwrites=bool(plan.overwrite()) and whole
    )


def _create_table(spark: SparkSession, plan: Any) -> Effect:
    table = plan.tableDesc() if class_of(plan).startswith("CreateHive") else plan.table()
    dataset = table_target(spark, table.identifier().unquotedString())
    return Effect(
        dataset,
        frame_of_plan(spark, plan.query()),
        existed=False,
        may_skip=plan.mode().toString() == "Ignore",
    )


def _create_in_catalog(spark: SparkSession, plan: Any) -> Effect:
    name = plan.name()
    dataset = table_target(spark, f"{name.catalog().name()}.{name.identifier()}")
    replaces = class_of(plan).startswith("Replace")
    return Effect(
        dataset,
        frame_of_plan(spark, plan.query()),
        existed=None if replaces else False,
        overwrites=replaces,
        may_skip=not replaces and bool(plan.ignoreIfExists()),
    )


def _write_to_catalog(spark: SparkSession, plan: Any) -> Effect:
    overwrites = class_of(plan) == "OverwriteByExpression" and plan.deleteExpr().toString() == "true"
    dataset = _catalog_table(spark, plan.table())
    return Effect(dataset, frame_of_plan(spark, plan.query()), True, overwrites=overwrites)


def _merge(spark: SparkSession, plan: Any) -> Effect:
    return Effect(_catalog_table(spark, plan.targetTable()), frame_of_plan(spark, plan.sourceTable()), True)


def _change_rows(spark: SparkSession, plan: Any) -> Effect:
    return Effect(_catalog_table(spark, plan.table()), None, True)


def _catalog_table(spark: SparkSession, relation: Any) -> SparkDataset:
    """Return the table of a relation, which may stand below an alias."""
    while class_of(relation) != "DataSourceV2Relation":
        relation = relation.child()
    catalog: Any = option(relation.catalog())
    identifier: Any = option(relation.identifier())
    return table_target(spark, f"{catalog.name()}.{identifier}")


def _overwrites(mode: Any) -> bool:
    return str(mode.toString()) == "Overwrite"


_READERS: dict[str, Callable[[Any, Any], Effect]] = {
    "InsertIntoHadoopFsRelationCommand": _insert_into_files,
    "InsertIntoDataSourceDirCommand": _insert_into_folder,
    "InsertIntoHiveTable": _insert_into_hive,
    "CreateDataSourceTableAsSelectCommand": _create_table,
    "CreateHiveTableAsSelectCommand": _create_table,
    "CreateTableAsSelect": _create_in_catalog,
    "ReplaceTableAsSelect": _create_in_catalog,
    "AppendData": _write_to_catalog,
    "OverwriteByExpression": _write_to_catalog,
    "OverwritePartitionsDynamic": _write_to_catalog,
    "MergeIntoTable": _merge,
    "UpdateTable": _change_rows,
    "DeleteFromTable": _change_rows,
}
