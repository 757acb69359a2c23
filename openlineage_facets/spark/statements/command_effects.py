"""Find what a command reads and writes, from its analyzed plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.datasets.jdbc_sources import jdbc_table
from openlineage_facets.spark.datasets.plan_sources import datasets_of, plan_sources, sources_of
from openlineage_facets.spark.datasets.sources import have_unknown_rows
from openlineage_facets.spark.datasets.tables import database_table, format_of_serde, generated_columns
from openlineage_facets.spark.datasets.targets import (
    can_have_partitions,
    has_partitions,
    overwrites_only_written_partitions,
    path_target,
    table_of_plan_target,
    table_target,
    with_written_schema,
)
from openlineage_facets.spark.jvm import (
    class_of,
    frame_of_plan,
    hadoop_path,
    members,
    option,
    options_of,
    struct,
)
from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet, row_changes_lineage_facet
from openlineage_facets.spark.metrics.scans import Scan, scans_of_batches
from openlineage_facets.spark.naming import SERVERS, kafka_topic, quoted_sql_name
from openlineage_facets.spark.spark_dataset import SparkDataset, new_dataset

_DELTA_COMMANDS = {"MergeIntoCommand", "UpdateCommand", "DeleteCommand"}
_REWRITTEN = {"ReplaceData", "WriteDelta"}
_COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"


class EffectSources(NamedTuple):
    """What a command reads.

    Args:
        reads: The datasets read, a dataset once for each place that reads it.
        lineage: The sources of the columns written.
        batches: What the batches of streams among the sources have read.
        has_unknown_rows: It also reads rows whose datasets the plan does not show.
    """

    reads: list[SparkDataset]
    lineage: ColumnLineageDatasetFacet | None
    batches: list[Scan]
    has_unknown_rows: bool


@dataclass(frozen=True)
class CommandEffect:
    """What a command does to one dataset.

    Args:
        dataset: The output.
        find_sources: Returns what is read for it.
        existed: The dataset existed before; None if unknown.
        overwrites: The command replaces all existing content.
        may_skip: The command does nothing if the dataset exists.
        rereads: The command scans each input several times, first to find the rows to change.
    """

    dataset: SparkDataset
    find_sources: Callable[[], EffectSources]
    existed: bool | None
    overwrites: bool = False
    may_skip: bool = False
    rereads: bool = False

    @property
    def inputs(self) -> list[SparkDataset]:
        """The datasets read for the output."""
        return list({read.identity: read for read in reversed(self.sources.reads)}.values())

    @property
    def countable_inputs(self) -> list[SparkDataset]:
        """The inputs whose scans show how much was read.

        If the command scans each input several times, it may not refer to one in several places: their scans
        look like the repeated ones.
        """
        if not self.rereads:
            return self.inputs
        places = Counter(read.identity for read in self.sources.reads)
        return [read for read in self.inputs if places[read.identity] == 1]

    @cached_property
    def sources(self) -> EffectSources:
        """What is read for the output."""
        return self.find_sources()


def executed_plan(plan: Any) -> Any:
    """Return the plan of the statement that `EXECUTE IMMEDIATE` executed, or else the plan itself."""
    return plan.commandLogicalPlan() if class_of(plan) == "CommandResult" else plan


def is_command(spark: SparkSession, plan: Any) -> bool:
    """Return True if a plan is a command, and False if it is a query."""
    gateway: Any = spark.sparkContext._gateway
    return bool(gateway.jvm.Class.forName(_COMMAND).isInstance(plan)) or any(
        is_command(spark, child) for child in _inserts(plan)
    )


def effects_of(spark: SparkSession, plan: Any) -> list[CommandEffect]:
    """Return what a command does to each dataset; empty for a command that is not supported.

    Args:
        spark: The session that executed it.
        plan: The JVM's analyzed plan.
    """
    inserts = _inserts(plan)
    if inserts:
        return [effect for child in inserts for effect in effects_of(spark, child)]
    reader = _READERS.get(class_of(plan))
    effect = None if reader is None else reader(spark, plan)
    return [] if effect is None else [effect]


def _inserts(plan: Any) -> list[Any]:
    """Return the parts of an INSERT into several tables, which Spark represents as their union."""
    if class_of(plan) != "Union":
        return []
    children = list(members(plan.children()))
    return children if all(class_of(child) in _READERS for child in children) else []


def _query_effect(
    dataset: SparkDataset, query: DataFrame, existed: bool | None, **more: bool
) -> CommandEffect:
    """Return the effect of writing the result of a query."""

    def find_sources() -> EffectSources:
        sources = sources_of(query)
        generated = generated_columns(query.sparkSession, dataset)
        lineage = column_lineage_facet(query, sources=sources, generated=generated)
        return EffectSources(
            datasets_of(sources), lineage, scans_of_batches(sources), have_unknown_rows(sources)
        )

    return CommandEffect(dataset, find_sources, existed, **more)


def _insert_into_files(spark: SparkSession, plan: Any) -> CommandEffect:
    query = frame_of_plan(spark, plan.query())
    table = option(plan.catalogTable())
    whole = plan.staticPartitions().isEmpty() and not plan.dynamicPartitionOverwrite()
    if table is not None:
        dataset = table_of_plan_target(spark, table)
    else:
        path, written_as = plan.outputPath().toString(), plan.fileFormat().toString().lower()
        dataset = path_target(spark, path, query.schema, written_as)
        whole = whole and not dataset.is_part
    mode = str(plan.mode().toString())
    may_skip = mode == "Ignore"
    existed = None if may_skip else True
    return _query_effect(dataset, query, existed, overwrites=mode == "Overwrite" and whole, may_skip=may_skip)


def _insert_into_folder(spark: SparkSession, plan: Any) -> CommandEffect:
    return _folder_effect(spark, plan, _folder(spark, plan), str(plan.provider()).lower())


def _insert_into_hive_folder(spark: SparkSession, plan: Any) -> CommandEffect:
    path = _folder(spark, plan)
    if plan.isLocal() and path.startswith("/"):
        path = f"file:{path}"
    return _folder_effect(spark, plan, path, format_of_serde(option(plan.storage().serde()) or ""))


def _folder(spark: SparkSession, plan: Any) -> str:
    return str(hadoop_path(spark, option(plan.storage().locationUri())).toString())


def _folder_effect(spark: SparkSession, plan: Any, path: str, file_format: str | None) -> CommandEffect:
    query = frame_of_plan(spark, plan.query())
    dataset = path_target(spark, path, query.schema, file_format)
    return _query_effect(dataset, query, None, overwrites=bool(plan.overwrite()) and not dataset.is_part)


def _insert_into_source(spark: SparkSession, plan: Any) -> CommandEffect:
    """Return the effect of an INSERT into a table of an external data source, such as JDBC."""
    (source,) = plan_sources(spark, plan.logicalRelation())
    query = frame_of_plan(spark, plan.query())
    return _query_effect(source.datasets[0], query, True, overwrites=bool(plan.overwrite()))


def _save_into_source(spark: SparkSession, plan: Any) -> CommandEffect | None:
    """Return the effect of `df.write.save()` to an external data source; None if it is not supported."""
    source = class_of(plan.dataSource())
    options = options_of(plan.options())
    query = frame_of_plan(spark, plan.query())
    mode = str(plan.mode().toString())
    if source == "JdbcRelationProvider":
        dataset = jdbc_table(options["url"], options["dbtable"], options, query.schema)
    elif source == "DeltaDataSource":
        dataset = path_target(spark, options["path"], query.schema, "delta")
    elif source == "KafkaSourceProvider" and "topic" in options:
        return _query_effect(new_dataset(*kafka_topic(options[SERVERS], options["topic"])), query, None)
    else:
        return None
    overwrites = mode == "Overwrite" and not dataset.is_part and "replacewhere" not in options
    if source == "DeltaDataSource" and overwrites:
        overwrites = not _keeps_partitions(spark, options)
    existed = False if mode == "ErrorIfExists" else None
    return _query_effect(dataset, query, existed, overwrites=overwrites, may_skip=mode == "Ignore")


def _keeps_partitions(spark: SparkSession, options: Mapping[str, str]) -> bool:
    """Return True if an overwrite of a Delta table has kept the partitions to which it wrote no rows."""
    if not overwrites_only_written_partitions(spark, options.get("partitionoverwritemode"), True):
        return False
    return can_have_partitions(spark.read.format("delta").load(options["path"]))


def _insert_into_hive(spark: SparkSession, plan: Any) -> CommandEffect:
    dataset = table_of_plan_target(spark, plan.table())
    whole = plan.partition().isEmpty()
    query = frame_of_plan(spark, plan.query())
    return _query_effect(dataset, query, True, overwrites=bool(plan.overwrite()) and whole)


def _create_table(spark: SparkSession, plan: Any) -> CommandEffect:
    table = plan.tableDesc() if class_of(plan).startswith("CreateHive") else plan.table()
    name, query = table.identifier().quotedString(), frame_of_plan(spark, plan.query())
    location = option(table.storage().locationUri())
    path = None if location is None else str(hadoop_path(spark, location).toString())
    # Of a table that does not exist, the command has failed or was not executed, or it was dropped since.
    schema = None if spark.catalog.tableExists(name) else query.schema
    dataset = database_table(table, schema) or table_target(
        spark, name, schema, option(table.provider()), path
    )
    return _query_effect(dataset, query, existed=False, may_skip=plan.mode().toString() == "Ignore")


def _create_in_catalog(spark: SparkSession, plan: Any) -> CommandEffect:
    name, query = plan.name(), frame_of_plan(spark, plan.query())
    dataset = _table_of_identifier(spark, name.catalog(), name.identifier(), query.schema)
    replaces = class_of(plan).startswith("Replace")
    return _query_effect(
        dataset,
        query,
        existed=None if replaces else False,
        overwrites=replaces,
        may_skip=not replaces and bool(plan.ignoreIfExists()),
    )


def _write_to_catalog(spark: SparkSession, plan: Any) -> CommandEffect | None:
    """Return the effect of a write to a table; None for a sink without a name, such as `noop`."""
    relation, kind = _relation(plan.table()), class_of(plan)
    dataset = _table_of_relation(spark, relation)
    if dataset is None:
        return None
    overwrites = (kind == "OverwriteByExpression" and plan.deleteExpr().toString() == "true") or (
        kind == "OverwritePartitionsDynamic" and not has_partitions(relation)
    )
    return _query_effect(dataset, frame_of_plan(spark, plan.query()), True, overwrites=overwrites)


def _change_rows(spark: SparkSession, plan: Any) -> CommandEffect | None:
    """Return the effect of a MERGE, UPDATE or DELETE, which also reads its own table.

    Returns None for a table of files without a connector, whose rows Spark cannot change.
    """
    if class_of(plan) in _DELTA_COMMANDS:
        evolved = option(plan.migratedSchema()) if class_of(plan) == "MergeIntoCommand" else None
        target = plan_sources(spark, plan.target())[0].datasets[0]
        dataset = with_written_schema(target, None if evolved is None else struct(evolved))
    else:
        relation = _relation(plan.table())
        if class_of(relation) != "DataSourceV2Relation":
            return None
        dataset = _table_of_identifier(spark, option(relation.catalog()), option(relation.identifier()))

    def find_sources() -> EffectSources:
        lineage = row_changes_lineage_facet(spark, plan)
        # Besides the query, Spark's plan has a condition that finds the files to change.
        read = plan.query() if class_of(plan) in _REWRITTEN else plan
        sources = plan_sources(spark, read) if lineage else []
        reads = [read for source in sources for read in source.datasets]
        return EffectSources(reads, lineage, scans_of_batches(sources), have_unknown_rows(sources))

    return CommandEffect(dataset, find_sources, True, rereads=True)


def _table_of_relation(spark: SparkSession, relation: Any) -> SparkDataset | None:
    """Return the table of a relation; None for a sink without a name."""
    if option(relation.catalog()) is not None:
        return _table_of_identifier(spark, option(relation.catalog()), option(relation.identifier()))
    return next(iter(datasets_of(plan_sources(spark, relation))), None)


def _relation(plan: Any) -> Any:
    """Return the relation of a table that may be below an alias."""
    while class_of(plan) == "SubqueryAlias":
        plan = plan.child()
    return plan


def _table_of_identifier(
    spark: SparkSession, catalog: Any, identifier: Any, schema: StructType | None = None
) -> SparkDataset:
    """Return the table with an identifier, which may be a path, such as delta.`/lake/orders`."""
    name = str(identifier.name())
    if "/" not in name:
        return table_target(spark, f"{quoted_sql_name([str(catalog.name())])}.{identifier}")
    layer = str(identifier.namespace()[0])
    if schema is None:
        schema = spark.read.format(layer).load(name).schema
    return path_target(spark, name, schema, layer)


_READERS: dict[str, Callable[[Any, Any], CommandEffect | None]] = {
    "InsertIntoHadoopFsRelationCommand": _insert_into_files,
    "InsertIntoDataSourceCommand": _insert_into_source,
    "InsertIntoDataSourceDirCommand": _insert_into_folder,
    "InsertIntoHiveDirCommand": _insert_into_hive_folder,
    "InsertIntoHiveTable": _insert_into_hive,
    "SaveIntoDataSourceCommand": _save_into_source,
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
