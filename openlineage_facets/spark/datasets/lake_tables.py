"""Delta and Iceberg tables as Spark's plans refer to them, and the generated columns of Delta tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from openlineage_facets.facets import StorageDatasetFacet
from openlineage_facets.spark.jvm.objects import JavaObject, class_of, struct
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.plans.analyzed_plan import analyzed_plan, leaves_of
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EXPRESSION = "delta.generationExpression"
"""Key in the metadata of a column of a Delta table that is computed from other columns."""


@dataclass(frozen=True)
class GeneratedColumns:
    """The columns that a table computes itself from other columns.

    Args:
        expressions: The SQL expression of each generated column, by name.
        types: The SQL type of each column of the table, by name.
    """

    expressions: Mapping[str, str]
    types: Mapping[str, str]


def generated_columns(spark: SparkSession, dataset: SparkDataset) -> GeneratedColumns | None:
    """Return the generated columns of a table; None if it has none, or if they cannot be read.

    Args:
        spark: A session with a JVM.
        dataset: An existing table.
    """
    if storage_layer(dataset) != "delta":
        return None
    try:
        columns = struct(delta_snapshot(leaf_of_table(spark, dataset)).schema()).fields
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot find the generated columns of a Delta table: reading its schema failed", error)
        return None
    expressions = {
        column.name: str(column.metadata[_EXPRESSION]) for column in columns if _EXPRESSION in column.metadata
    }
    types = {column.name: column.dataType.simpleString() for column in columns}
    return GeneratedColumns(expressions, types) if expressions else None


def storage_layer(dataset: SparkDataset) -> str | None:
    """Return the table format of a dataset, such as `delta`; None if it is unknown."""
    storage = (facet for facet in dataset.facets if isinstance(facet, StorageDatasetFacet))
    return next((facet.storage_layer for facet in storage), None)


def leaf_of_table(spark: SparkSession, dataset: SparkDataset) -> JavaObject:
    """Return the relation of an existing table in a plan."""
    if dataset.table is not None:
        frame = spark.table(dataset.table)
    else:
        frame = spark.read.format(str(storage_layer(dataset))).load(dataset.location)
    [leaf] = leaves_of(analyzed_plan(frame))
    return leaf


def delta_snapshot(leaf: JavaObject) -> JavaObject:
    """Return the version of a Delta table that a relation reads."""
    if class_of(leaf) == "LogicalRelation":
        return leaf.relation().location().getSnapshot()
    return leaf.table().initialSnapshot()
