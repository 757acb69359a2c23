"""What a SQL statement has written, as its analyzed plan tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.column_lineage import changes_lineage_facet
from openlineage_facets.spark.datasets import (
    SparkDataset,
    column_lineage_facet,
    inputs_of,
    path_target,
    table_target,
)
from openlineage_facets.spark.jvm import class_of, option
from openlineage_facets.spark.relations import sources_of
from openlineage_facets.spark.session import frame_of_plan, members
from openlineage_facets.spark.table_targets import to_be_written

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

__all__ = ["Effect", "effects", "is_command"]

_OF_DELTA = {"MergeIntoCommand", "UpdateCommand", "DeleteCommand"}
_COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"


@dataclass(frozen=True)
class Effect:
    """What a statement has done to one dataset.

    Args:
        dataset: The dataset written to.
        inputs: What was read to write it.
        lineage: What the columns that were written are made from.
        existed: Whether the dataset was there before; None where that is not known.
        overwrites: Whether everything it held was replaced.
        may_skip: Whether the statement does nothing where the dataset is there already.
        rereads: Whether the inputs may have been read more than once, so that a count of it is none of them.
    """

    dataset: SparkDataset
    inputs: list[SparkDataset]
    lineage: ColumnLineageDatasetFacet | None
    existed: bool | None
    overwrites: bool = False
    may_skip: bool = False
    rereads: bool = False


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


def _of_query(dataset: SparkDataset, query: DataFrame, existed: bool | None, **more: bool) -> Effect:
    """Return the effect of writing the rows of a query."""
    return Effect(dataset, inputs_of(query), column_lineage_facet(query), existed, **more)


def _insert_into_files(spark: SparkSession, plan: Any) -> Effect:
    query = frame_of_plan(spark, plan.query())
    table = option(plan.catalogTable())
    whole = plan.staticPartitions().isEmpty() and not plan.dynamicPartitionOverwrite()
    if table is not None:
        dataset = table_target(spark, table.identifier().unquotedString())
    else:
        path, written_as = plan.outputPath().toString(), plan.fileFormat().toString().lower()
        dataset = path_target(spark, path, query.schema, written_as)
        whole = whole and not dataset.is_part
    return _of_query(dataset, query, True, overwrites=_overwrites(plan.mode()) and whole)


def _insert_into_folder(spark: SparkSession, plan: Any) -> Effect:
    query = frame_of_plan(spark, plan.query())
    location: Any = option(plan.storage().locationUri())
    dataset = path_target(spark, location.toString(), query.schema, str(plan.provider()).lower())
    return _of_query(dataset, query, None, overwrites=bool(plan.overwrite()) and not dataset.is_part)


def _insert_into_hive(spark: SparkSession, plan: Any) -> Effect:
    dataset = table_target(spark, plan.table().identifier().unquotedString())
    whole = plan.partition().isEmpty()
    query = frame_of_plan(spark, plan.query())
    return _of_query(dataset, query, True, overwrites=bool(plan.overwrite()) and whole)


def _create_table(spark: SparkSession, plan: Any) -> Effect:
    table = plan.tableDesc() if class_of(plan).startswith("CreateHive") else plan.table()
    dataset = table_target(spark, table.identifier().unquotedString())
    query = frame_of_plan(spark, plan.query())
    return _of_query(dataset, query, existed=False, may_skip=plan.mode().toString() == "Ignore")


def _create_in_catalog(spark: SparkSession, plan: Any) -> Effect:
    name, query = plan.name(), frame_of_plan(spark, plan.query())
    dataset = _called(spark, name.catalog(), name.identifier(), query.schema)
    replaces = class_of(plan).startswith("Replace")
    return _of_query(
        dataset,
        query,
        existed=None if replaces else False,
        overwrites=replaces,
        may_skip=not replaces and bool(plan.ignoreIfExists()),
    )


def _write_to_catalog(spark: SparkSession, plan: Any) -> Effect:
    overwrites = class_of(plan) == "OverwriteByExpression" and plan.deleteExpr().toString() == "true"
    dataset = _catalog_table(spark, plan.table())
    return _of_query(dataset, frame_of_plan(spark, plan.query()), True, overwrites=overwrites)


def _change_rows(spark: SparkSession, plan: Any) -> Effect:
    """Return the effect of a MERGE, UPDATE or DELETE, which reads its own table, too."""
    if class_of(plan) in _OF_DELTA:
        dataset = to_be_written(sources_of(spark, plan.target())[0].datasets[0])
    else:
        dataset = _catalog_table(spark, plan.table())
    lineage = changes_lineage_facet(spark, plan)
    found = [one for source in sources_of(spark, plan) for one in source.datasets] if lineage else []
    inputs = {(one.namespace, one.name): one for one in reversed(found)}
    return Effect(dataset, list(inputs.values()), lineage, True, rereads=True)


def _catalog_table(spark: SparkSession, relation: Any) -> SparkDataset:
    """Return the table of a relation, which may stand below an alias."""
    while class_of(relation) != "DataSourceV2Relation":
        relation = relation.child()
    return _called(spark, option(relation.catalog()), option(relation.identifier()))


def _called(
    spark: SparkSession, catalog: Any, identifier: Any, schema: StructType | None = None
) -> SparkDataset:
    """Return the table of a name, which may be the path of one, such as delta.`/lake/orders`."""
    name = str(identifier.name())
    if "/" not in name:
        return table_target(spark, f"{catalog.name()}.{identifier}")
    layer = str(identifier.namespace()[0])
    if schema is None:
        schema = spark.read.format(layer).load(name).schema
    return path_target(spark, name, schema, layer)


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
    "DeleteFromTable": _change_rows,
    "ReplaceData": _change_rows,
    "WriteDelta": _change_rows,
    "MergeIntoCommand": _change_rows,
    "UpdateCommand": _change_rows,
    "DeleteCommand": _change_rows,
}
