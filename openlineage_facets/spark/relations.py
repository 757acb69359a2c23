"""The datasets behind the leaves of a logical plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openlineage_facets.spark.catalog_tables import catalog_table
from openlineage_facets.spark.file_sources import file_facets, folders, paths_read, qualified, root_paths
from openlineage_facets.spark.jdbc_sources import jdbc_datasets
from openlineage_facets.spark.jvm import JavaObject, class_of, each, has_method, is_a, option, struct
from openlineage_facets.spark.notices import notice
from openlineage_facets.spark.path_names import before_glob
from openlineage_facets.spark.plan import leaves_of
from openlineage_facets.spark.spark_dataset import SparkDataset, datasets_at, storage_of_format
from openlineage_facets.spark.v2_tables import v2_datasets

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Source", "sources_of"]

_NO_DATASET = {
    "LocalRelation",
    "LogicalRDD",
    "ExternalRDD",
    "Range",
    "OneRowRelation",
    "CTERelationRef",
    "UnionLoopRef",
    "ResolvedIdentifier",
    "ResolvedNamespace",
}
"""Leaves that make their rows up, or take them from the driver, from an RDD or from elsewhere in the plan."""


@dataclass(frozen=True)
class Source:
    """What a leaf of a plan reads.

    Args:
        datasets: The datasets.
        first_column: The id of the leaf's first column, by which a plan knows it; None where its
            columns are not those of the datasets.
    """

    datasets: tuple[SparkDataset, ...]
    first_column: int | None = None


def sources_of(spark: SparkSession, plan: JavaObject) -> list[Source]:
    """Return what the leaves of a plan read, each leaf that reads a dataset; what can't be read is logged."""
    sources = []
    for leaf in leaves_of(plan):
        kind = class_of(leaf)
        try:
            if kind in _NO_DATASET:
                _notice_checkpoint(leaf, kind)
                continue
            source = _source(spark, leaf, kind)
        except Exception as error:  # lineage never breaks the job, whatever a connector's relation is like
            notice(f"the dataset of a {kind} is left out of the lineage: it could not be read", error)
            continue
        if source.datasets:
            sources.append(source)
    return sources


def _source(spark: SparkSession, leaf: JavaObject, kind: str) -> Source:
    reader = _READERS.get(kind)
    if reader is None:
        notice(
            f"the dataset of a {kind} is left out of the lineage: this kind of source is not known; "
            "name it yourself with dataset=(namespace, name)"
        )
        return Source(())
    datasets, columns_are_known = reader(spark, leaf)
    output = leaf.output()
    known = columns_are_known and bool(datasets) and output.size() > 0
    return Source(tuple(datasets), int(output.head().exprId().id()) if known else None)


def _logical_relation(spark: SparkSession, leaf: JavaObject) -> tuple[list[SparkDataset], bool]:
    relation = leaf.relation()
    kind = class_of(relation)
    if kind == "JDBCRelation":
        options = relation.jdbcOptions()
        return jdbc_datasets(spark, options, struct(relation.schema()))
    if not is_a(relation, "HadoopFsRelation"):
        notice(
            f"the dataset of a {kind} is left out of the lineage: this kind of source is not known; "
            "name it yourself with dataset=(namespace, name)"
        )
        return [], False
    schema, facets = struct(relation.schema()), file_facets(relation)
    table = option(leaf.catalogTable())
    if table is not None:
        return [catalog_table(spark, table, schema, facets)], True
    return datasets_at(paths_read(spark, relation), schema, facets), True


def _hive_relation(spark: SparkSession, leaf: JavaObject) -> tuple[list[SparkDataset], bool]:
    table = leaf.tableMeta()
    return [catalog_table(spark, table, struct(leaf.schema()))], True


def _streaming_relation(spark: SparkSession, leaf: JavaObject) -> tuple[list[SparkDataset], bool]:
    source = leaf.dataSource()
    path = option(source.options().get("path"))
    if path is None:
        notice(f"the dataset of a stream of {source.className()} is left out of the lineage: it has no path")
        return [], False
    folder = qualified(spark, before_glob(path) or path)
    storage = storage_of_format(str(source.className()))
    return datasets_at([folder], struct(leaf.schema()), [storage]), True


def _v2_relation(spark: SparkSession, leaf: JavaObject) -> tuple[list[SparkDataset], bool]:
    table, schema = leaf.table(), struct(leaf.schema())
    kind = class_of(table)
    if (
        kind == "RowLevelOperationTable"
    ):  # as MERGE, UPDATE and DELETE read it, with columns that say where rows lie
        table = table.table()
        return v2_datasets(spark, leaf, table, struct(table.schema())), True
    if kind == "JDBCTable":
        return jdbc_datasets(spark, table.jdbcOptions(), schema)
    if kind == "V1Table":
        return [catalog_table(spark, table.v1Table(), schema)], True
    if kind == "PathTable" or has_method(table, "fileIndex"):
        index = table.fileIndex()
        patterns = [before_glob(str(path)) for path in each(table.paths())]
        found = [qualified(spark, folder) for folder in patterns if folder is not None]
        storage = storage_of_format(str(table.formatName()))
        return datasets_at(found or folders(root_paths(index), index), schema, [storage]), True
    return v2_datasets(spark, leaf, table, schema), True


_READERS: dict[str, Callable[[SparkSession, JavaObject], tuple[list[SparkDataset], bool]]] = {
    "LogicalRelation": _logical_relation,
    "HiveTableRelation": _hive_relation,
    "StreamingRelation": _streaming_relation,
    "DataSourceV2Relation": _v2_relation,
}


def _notice_checkpoint(leaf: JavaObject, kind: str) -> None:
    if kind != "LogicalRDD":
        return
    arguments = leaf.otherCopyArgs()  # from Spark 4.1 on, the last says whether the rows are of a checkpoint
    if arguments.size() and arguments.last() is True:
        notice(
            "a checkpointed DataFrame no longer knows what it was read from: its inputs are left out of the "
            "lineage; read them with run.read(...) before the checkpoint"
        )
