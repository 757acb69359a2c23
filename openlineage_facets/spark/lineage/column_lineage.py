"""The columnLineage facet of DataFrames and statements, also for columns that a table computes itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.facets import ColumnLineageDatasetFacet
from openlineage_facets.spark.analyzed_plan import analyzed_plan, expand_projections, parse_plan
from openlineage_facets.spark.datasets.plan_sources import plan_sources
from openlineage_facets.spark.datasets.sources import BatchedStream, Checkpoint, Source, have_unknown_rows
from openlineage_facets.spark.datasets.tables import GeneratedColumns
from openlineage_facets.spark.jvm import JavaObject
from openlineage_facets.spark.lineage.database_queries import QueryLineage, lineage_of_database_query
from openlineage_facets.spark.lineage.plan_lineage import LeafSource, PlanLineage
from openlineage_facets.spark.lineage.row_changes import row_changes
from openlineage_facets.spark.lineage.value_lineage import IDENTITY, NO_LINEAGE, Effect, Lineage
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
    sources, queries, datasets = _numbered(plan_sources(df.sparkSession, plan) if found is None else found)
    if not datasets:
        return None
    lineage = PlanLineage(sources, queries, partial(expand_projections, plan))
    output = lineage.of(parse_plan(json.loads(plan.toJSON())))
    if len(names) != len(output.ids):
        log_once("cannot capture the column lineage of a DataFrame: its plan has an unknown operator")
        return None
    columns = {name: output.columns[identity] for name, identity in zip(names, output.ids, strict=True)}
    return _facet(columns, output.row_lineage, datasets)


def _facet_of_row_changes(spark: SparkSession, plan: JavaObject) -> ColumnLineageDatasetFacet | None:
    changes = row_changes(parse_plan(json.loads(plan.toJSON())))
    if changes is None:
        return None
    sources, queries, datasets = _numbered(plan_sources(spark, plan))
    output = PlanLineage(sources, queries, partial(expand_projections, plan)).of(changes.query)
    table = sources.get(changes.table, LeafSource(-1)).number
    columns = {
        name: {
            column: remaining
            for column, effects in output.columns[identity].items()
            if (remaining := effects - IDENTITY if column == (table, name) else effects)
        }
        for name, identity in changes.written.items()
    }
    return _facet(columns, output.row_lineage, datasets)


def _numbered(
    found: Iterable[Source],
) -> tuple[dict[int, LeafSource], dict[int, QueryLineage], list[tuple[SparkDataset, ...]]]:
    """Return sources and queries by the expression id of the first column, and datasets by number."""
    sources: dict[int, LeafSource] = {}
    queries: dict[int, QueryLineage] = {}
    datasets: list[tuple[SparkDataset, ...]] = []
    for source in found:
        if source.first_column is None:
            if source.datasets:
                log_once(
                    "cannot capture the column lineage of rows that are read without the columns of their "
                    "dataset, such as those of df.rdd.map(...).toDF(); the dataset is reported"
                )
            continue
        if source.query is None:
            sources[source.first_column] = LeafSource(len(datasets), source.columns)
            datasets.append(source.datasets)
            continue
        if isinstance(source.query, BatchedStream):
            queries[source.first_column], read = _lineage_of_stream(source.query, len(datasets))
            datasets += read
            continue
        if isinstance(source.query, Checkpoint):
            queries[source.first_column] = _lineage_of_checkpoint(source.query, len(datasets))
            datasets += source.query.sources
            continue
        numbers = {name: len(datasets) + place for place, name in enumerate(source.query.tables)}
        query = source.query
        lineage = lineage_of_database_query(
            query.plan, numbers, query.columns, query.is_plain, query.find_columns
        )
        if lineage is not None:
            queries[source.first_column] = lineage
        elif source.query.is_plain:
            sources[source.first_column] = LeafSource(len(datasets), source.columns)
        else:
            tables = ", ".join(source.query.tables)
            log_once(
                f"cannot capture the column lineage of a JDBC query of {tables}: it is not supported, or a "
                "column may be that of several tables; add the names of tables to columns"
            )
            continue
        datasets += [(dataset,) for dataset in source.datasets]
    return sources, queries, datasets


def _lineage_of_stream(
    stream: BatchedStream, first: int
) -> tuple[QueryLineage, list[tuple[SparkDataset, ...]]]:
    """Return the lineage of a stream, whose source numbers begin with a number, and the datasets it reads."""
    sources, queries, datasets = _numbered(stream.sources)
    lineage = PlanLineage(sources, queries, partial(expand_projections, stream.plan))
    output = lineage.of(parse_plan(json.loads(stream.plan.toJSON())))

    columns = [_numbered_from(first, output.columns[identity]) for identity in output.ids]
    rows = _numbered_from(first, output.row_lineage) if stream.determines_rows else NO_LINEAGE
    return QueryLineage(columns, rows), datasets


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


def _lineage_of_checkpoint(checkpoint: Checkpoint, first: int) -> QueryLineage:
    columns = [_numbered_from(first, lineage) for lineage in checkpoint.columns]
    return QueryLineage(columns, _numbered_from(first, checkpoint.rows))


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
