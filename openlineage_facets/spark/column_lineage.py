"""The column lineage facet of a DataFrame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.jvm import JavaObject
from openlineage_facets.spark.lineage_of_expressions import DIRECT, Effect, Lineage
from openlineage_facets.spark.lineage_of_plans import PlanLineage
from openlineage_facets.spark.notices import notice
from openlineage_facets.spark.plan import analyzed_plan, projections_of
from openlineage_facets.spark.plan_tree import read_tree
from openlineage_facets.spark.relations import sources_of
from openlineage_facets.spark.row_changes import row_changes
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["changes_lineage_facet", "column_lineage_facet"]


def column_lineage_facet(df: DataFrame) -> ColumnLineageDatasetFacet | None:
    """Say of each column of a DataFrame which columns of its inputs it is made from, and how.

    The facet's `fields` tell how a value is made: DIRECT, and INDIRECT where a condition, a window or an
    aggregate's filter steers that column alone. Its `dataset` has the columns that decide which rows there
    are: those in joins, filters, groupings and sorts.

    Args:
        df: Any DataFrame.

    Returns:
        The facet; None where nothing is known of any column.
    """
    try:
        return _facet(df)
    except Exception as error:  # lineage never breaks the job
        notice("the column lineage of a DataFrame is left out: its plan could not be read", error)
        return None


def changes_lineage_facet(spark: SparkSession, plan: JavaObject) -> ColumnLineageDatasetFacet | None:
    """Say of the columns that a MERGE, UPDATE or DELETE assigns which columns they are made from, and how.

    What the statement leaves as it was is not told, and neither is a column that is given its own value.

    Args:
        spark: The session.
        plan: The JVM's analyzed plan.

    Returns:
        The facet; None where nothing is known of any column.
    """
    try:
        return _facet_of_changes(spark, plan)
    except Exception as error:  # lineage never breaks the job
        notice("the column lineage of a statement is left out: its plan could not be read", error)
        return None


def _facet(df: DataFrame) -> ColumnLineageDatasetFacet | None:
    plan = analyzed_plan(df)
    names = df.columns
    if plan is None or not names:
        return None
    sources, datasets = _sources(df.sparkSession, plan)
    if not datasets:
        return None
    rows = PlanLineage(sources, partial(projections_of, plan)).of(json.loads(plan.toJSON()))
    if len(names) != len(rows.ids):
        notice("the column lineage of a DataFrame is left out: its plan has an operator that is not known")
        return None
    columns = {name: rows.columns[identity] for name, identity in zip(names, rows.ids, strict=True)}
    return _made_of(columns, rows.steered, datasets)


def _facet_of_changes(spark: SparkSession, plan: JavaObject) -> ColumnLineageDatasetFacet | None:
    changes = row_changes(read_tree(json.loads(plan.toJSON())))
    if changes is None:
        return None
    sources, datasets = _sources(spark, plan)
    rows = PlanLineage(sources, partial(projections_of, plan)).of_tree(changes.query)
    table = sources.get(changes.table)
    columns = {
        name: {
            column: others
            for column, effects in rows.columns[identity].items()
            if (others := effects - DIRECT if column == (table, name) else effects)
        }
        for name, identity in changes.written.items()
    }
    return _made_of(columns, rows.steered, datasets)


def _sources(spark: SparkSession, plan: JavaObject) -> tuple[dict[int, int], list[tuple[SparkDataset, ...]]]:
    """Return the number of each source by the id of its first column, and the datasets by that number."""
    sources: dict[int, int] = {}
    datasets: list[tuple[SparkDataset, ...]] = []
    for source in sources_of(spark, plan):
        if source.first_column is not None:
            sources[source.first_column] = len(datasets)
            datasets.append(source.datasets)
    return sources, datasets


def _made_of(
    columns: Mapping[str, Lineage], steered_by: Lineage, datasets: Sequence[tuple[SparkDataset, ...]]
) -> ColumnLineageDatasetFacet | None:
    fields: dict[str, Any] = {
        name: {"inputFields": inputs}
        for name, lineage in columns.items()
        if (inputs := _input_fields(lineage, datasets))
    }
    steered = _input_fields(steered_by, datasets)
    if steered:
        return ColumnLineageDatasetFacet(fields=fields, dataset=steered)
    return ColumnLineageDatasetFacet(fields=fields) if fields else None


def _input_fields(lineage: Lineage, datasets: Sequence[tuple[SparkDataset, ...]]) -> list[Any]:
    """Return a lineage as rows of the facet, a row for each column of a dataset, however often it is read."""
    effects: dict[tuple[str, str, str], set[Effect]] = {}
    for (source, column), ways in lineage.items():
        for dataset in datasets[source]:
            effects.setdefault((dataset.namespace, dataset.name, column), set()).update(ways)
    return [
        {"namespace": namespace, "name": name, "field": column, "transformations": _transformations(ways)}
        for (namespace, name, column), ways in effects.items()
    ]


def _transformations(ways: set[Effect]) -> list[dict[str, Any]]:
    return [
        {"type": way.type, "subtype": way.subtype, "masking": True}
        if way.masking
        else {"type": way.type, "subtype": way.subtype}
        for way in sorted(ways)
    ]
