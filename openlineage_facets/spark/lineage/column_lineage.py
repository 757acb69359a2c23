"""The columnLineage facet of DataFrames and statements, also for columns that a table computes itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.analyzed_plan import Node, analyzed_plan, expand_projections, parse_plan
from openlineage_facets.spark.datasets.plan_sources import plan_sources
from openlineage_facets.spark.datasets.sources import BatchedStream, Checkpoint, Source, have_unknown_rows
from openlineage_facets.spark.datasets.tables import GeneratedColumns
from openlineage_facets.spark.jvm import JavaObject
from openlineage_facets.spark.lineage.database_queries import QueryLineage, lineage_of_database_query
from openlineage_facets.spark.lineage.plan_lineage import LeafSource, Output, PlanLineage
from openlineage_facets.spark.lineage.row_changes import row_changes
from openlineage_facets.spark.lineage.value_lineage import (
    IDENTITY,
    NO_LINEAGE,
    Effect,
    Lineage,
    merged_lineage,
)
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.naming import quoted_sql_name
from openlineage_facets.spark.spark_dataset import SparkDataset


def column_lineage_facet(
    df: DataFrame,
    names: Sequence[str] | None = None,
    sources: Sequence[Source] | None = None,
    generated: GeneratedColumns | None = None,
) -> ColumnLineageDatasetFacet | None:
    """Return the input columns of every column of a DataFrame.

    `fields` lists the columns that a value is computed from (DIRECT), and those that influence only this
    column through a condition, a window or an aggregate's filter (INDIRECT). `dataset` lists the columns that
    determine which rows exist: those in joins, filters, groupings and sorts.

    Args:
        df: The DataFrame.
        names: Names of its columns where they are written to, in order; their own names if None.
        sources: What the leaves of its plan read, if that is already known.
        generated: The columns that the table to which it is written computes itself.

    Returns:
        The facet; None if no input column is known.
    """
    try:
        names = df.columns if names is None else names
        if generated is not None:
            df, names = with_generated_columns(df, names, generated)
        return _facet_of_frame(df, names, sources)
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot capture the column lineage of a DataFrame: reading its plan failed", error)
        return None


def row_changes_lineage_facet(spark: SparkSession, plan: JavaObject) -> ColumnLineageDatasetFacet | None:
    """Return the input columns of every column that a MERGE, UPDATE or DELETE assigns.

    Unchanged rows and columns that are assigned their own value are not included.

    Args:
        spark: The session.
        plan: The analyzed plan of the statement.

    Returns:
        The facet; None if no input column is known.
    """
    try:
        return _facet_of_row_changes(spark, plan)
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot capture the column lineage of a statement: reading its plan failed", error)
        return None


def _facet_of_frame(
    df: DataFrame, names: Sequence[str], found: Sequence[Source] | None
) -> ColumnLineageDatasetFacet | None:
    plan = analyzed_plan(df)
    if plan is None or not names:
        return None
    read = _ReadDatasets.of(plan_sources(df.sparkSession, plan) if found is None else found)
    if not read.datasets:
        return None
    output = read.lineage_of(plan)
    if len(names) != len(output.ids):
        log_once("cannot capture the column lineage of a DataFrame: its plan has an unknown operator")
        return None
    lineages: dict[str, list[Lineage]] = {}  # Several columns may have one name.
    for name, identity in zip(names, output.ids, strict=True):
        lineages.setdefault(name, []).append(output.columns[identity])
    columns = {name: merged_lineage(same) for name, same in lineages.items()}
    return _facet(columns, output.row_lineage, read.datasets)


def _facet_of_row_changes(spark: SparkSession, plan: JavaObject) -> ColumnLineageDatasetFacet | None:
    changes = row_changes(_parsed(plan))
    if changes is None:
        return None
    read = _ReadDatasets.of(plan_sources(spark, plan))
    output = read.lineage_of(plan, changes.query)
    table = read.sources.get(changes.table, LeafSource(-1)).number
    columns = {
        name: {
            column: remaining
            for column, effects in output.columns[identity].items()
            if (remaining := effects - IDENTITY if column == (table, name) else effects)
        }
        for name, identity in changes.written.items()
    }
    return _facet(columns, output.row_lineage, read.datasets)


def _parsed(plan: JavaObject) -> Node:
    return parse_plan(json.loads(plan.toJSON()))


@dataclass
class _ReadDatasets:
    """The datasets that the leaves of a plan read.

    Args:
        sources: The leaves whose columns are those of datasets, by the expression id of the first column.
        queries: The leaves whose columns are computed from those of datasets, by the same id.
        datasets: The datasets by number.
    """

    sources: dict[int, LeafSource] = field(default_factory=dict)
    queries: dict[int, QueryLineage] = field(default_factory=dict)
    datasets: list[tuple[SparkDataset, ...]] = field(default_factory=list)

    @classmethod
    def of(cls, sources: Iterable[Source]) -> _ReadDatasets:
        read = cls()
        for source in sources:
            if source.first_column is not None:
                read._add(source, source.first_column)
            elif source.datasets and not source.is_model:
                log_once(
                    "cannot capture the column lineage of rows that are read without the columns of their "
                    "dataset, such as those of df.rdd.map(...).toDF(); the dataset is reported"
                )
        return read

    def lineage_of(self, plan: JavaObject, query: Node | None = None) -> Output:
        """Return the lineage of the output of a plan, or of a query that stands for it."""
        lineage = PlanLineage(self.sources, self.queries, partial(expand_projections, plan))
        return lineage.of(_parsed(plan) if query is None else query)

    def _add(self, source: Source, first_column: int) -> None:
        first, query = len(self.datasets), source.query
        if query is None:
            self.sources[first_column] = LeafSource(first, source.columns)
            self.datasets.append(source.datasets)
        elif isinstance(query, BatchedStream):
            self.queries[first_column], datasets = _lineage_of_stream(query, first)
            self.datasets += datasets
        elif isinstance(query, Checkpoint):
            columns = [_numbered_from(first, lineage) for lineage in query.columns]
            self.queries[first_column] = QueryLineage(columns, _numbered_from(first, query.rows))
            self.datasets += query.sources
        else:
            numbers = {name: first + place for place, name in enumerate(query.tables)}
            lineage = lineage_of_database_query(query, numbers)
            if lineage is not None:
                self.queries[first_column] = lineage
            elif query.is_plain:
                self.sources[first_column] = LeafSource(first, source.columns)
            else:
                log_once(
                    f"cannot capture the column lineage of a JDBC query of {', '.join(query.tables)}: it is "
                    "not supported, or a column may be that of several tables; add the names of tables to "
                    "columns"
                )
                return
            self.datasets += [(dataset,) for dataset in source.datasets]


def _lineage_of_stream(
    stream: BatchedStream, first: int
) -> tuple[QueryLineage, list[tuple[SparkDataset, ...]]]:
    """Return the lineage of a stream, whose source numbers begin with a number, and the datasets it reads."""
    read = _ReadDatasets.of(stream.sources)
    output = read.lineage_of(stream.plan)
    columns = [_numbered_from(first, output.columns[identity]) for identity in output.ids]
    rows = _numbered_from(first, output.row_lineage) if stream.determines_rows else NO_LINEAGE
    return QueryLineage(columns, rows), read.datasets


def checkpoint_of_frame(df: DataFrame, found: Sequence[Source]) -> Checkpoint | None:
    """Return what a checkpoint of a DataFrame is computed from; None if its plan cannot be read.

    Args:
        df: The DataFrame.
        found: What the leaves of its plan read.
    """
    plan = analyzed_plan(df)
    if plan is None:
        return None
    datasets = [dataset for source in found for dataset in source.datasets]
    try:
        lineage, sources = _lineage_of_stream(BatchedStream(plan, found), 0)
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot capture the column lineage of a checkpoint: reading its plan failed", error)
        return None
    return Checkpoint(datasets, sources, lineage.columns, lineage.rows, have_unknown_rows(found))


def _numbered_from(first: int, lineage: Lineage) -> Lineage:
    return {(first + source, column): effects for (source, column), effects in lineage.items()}


def _facet(
    columns: Mapping[str, Lineage], row_lineage: Lineage, datasets: Sequence[tuple[SparkDataset, ...]]
) -> ColumnLineageDatasetFacet | None:
    fields: dict[str, Any] = {
        name: {"inputFields": inputs}
        for name, lineage in columns.items()
        if (inputs := _input_fields(lineage, datasets))
    }
    row_inputs = _input_fields(row_lineage, datasets)
    if row_inputs:
        return ColumnLineageDatasetFacet(fields=fields, dataset=row_inputs)
    return ColumnLineageDatasetFacet(fields=fields) if fields else None


def _input_fields(lineage: Lineage, datasets: Sequence[tuple[SparkDataset, ...]]) -> list[Any]:
    """Return one input field of the facet for each column of a dataset, even if it is read repeatedly."""
    effects_by_field: dict[tuple[str, str, str], set[Effect]] = {}
    for (source, column), effects in lineage.items():
        for dataset in datasets[source]:
            effects_by_field.setdefault((dataset.namespace, dataset.name, column), set()).update(effects)
    return [
        {"namespace": namespace, "name": name, "field": column, "transformations": _transformations(effects)}
        for (namespace, name, column), effects in effects_by_field.items()
    ]


def _transformations(effects: set[Effect]) -> list[dict[str, Any]]:
    return [
        {"type": effect.type, "subtype": effect.subtype, "masking": True}
        if effect.masking
        else {"type": effect.type, "subtype": effect.subtype}
        for effect in sorted(effects)
    ]


def with_generated_columns(
    df: DataFrame, names: Sequence[str], generated: GeneratedColumns
) -> tuple[DataFrame, list[str]]:
    """Return a DataFrame with the generated columns of a table that it does not have, and its names.

    Args:
        df: The written DataFrame.
        names: The columns of the table that its columns are written to, in order.
        generated: The generated columns of the table.
    """
    written = {name.lower() for name in names}
    expressions = {name: text for name, text in generated.expressions.items() if name.lower() not in written}
    # An expression may refer to columns that are not written, which are null.
    empty = [
        f"CAST(NULL AS {of_type}) AS {quoted_sql_name([name])}"
        for name, of_type in generated.types.items()
        if name.lower() not in written and name not in expressions
    ]
    complete = df.toDF(*names).selectExpr("*", *empty)
    computed = [f"{text} AS {quoted_sql_name([name])}" for name, text in expressions.items()]
    kept = [quoted_sql_name([name]) for name in names]
    return complete.selectExpr(*kept, *computed), [*names, *expressions]
