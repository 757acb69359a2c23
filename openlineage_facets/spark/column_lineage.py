"""The column lineage facet of a DataFrame."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.lineage_of_expressions import Effect, Lineage
from openlineage_facets.spark.lineage_of_plans import PlanLineage
from openlineage_facets.spark.notices import notice
from openlineage_facets.spark.plan import analyzed_plan
from openlineage_facets.spark.relations import sources_of
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["column_lineage_facet"]


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


def _facet(df: DataFrame) -> ColumnLineageDatasetFacet | None:
    plan = analyzed_plan(df)
    names = df.columns
    if plan is None or not names:
        return None
    sources: dict[int, int] = {}
    datasets: list[tuple[SparkDataset, ...]] = []
    for source in sources_of(df.sparkSession, plan):
        if source.first_column is not None:
            sources[source.first_column] = len(datasets)
            datasets.append(source.datasets)
    if not datasets:
        return None
    rows = PlanLineage(sources).of(json.loads(plan.toJSON()))
    if len(names) != len(rows.ids):
        notice("the column lineage of a DataFrame is left out: its plan has an operator that is not known")
        return None
    fields: dict[str, Any] = {
        name: {"inputFields": inputs}
        for name, identity in zip(names, rows.ids, strict=True)
        if (inputs := _input_fields(rows.columns[identity], datasets))
    }
    steered = _input_fields(rows.steered, datasets)
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
