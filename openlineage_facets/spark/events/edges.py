"""Edges between jobs, datasets and columns, out of what a fold remembers."""

from __future__ import annotations

from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, BooleanType, LongType, StringType, StructField, StructType

from openlineage_facets.generated.containers import DatasetFacets, JobFacets
from openlineage_facets.spark.events.arrow import Batches, arrow_schema, map_batches, record_batch, texts
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.facets import read_facets
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.moments import moment_of

__all__ = ["column_edges_of", "edges_of"]


_NODE = ("kind", "namespace", "name")
_END = (*_NODE, "column")
_MOMENT = StructType(
    [
        StructField("seconds", LongType()),
        StructField("fraction", StringType()),
        StructField("time", StringType()),
    ]
)
_EDGES = StructType(
    [
        StructField("source", texts(*_NODE)),
        StructField("target", texts(*_NODE)),
        StructField("origin", StringType()),
        StructField("first", _MOMENT),
        StructField("last", _MOMENT),
    ]
)
_TRANSFORMATION = StructType(
    [*texts("type", "subtype", "description").fields, StructField("masking", BooleanType())]
)
_COLUMN_EDGES = StructType(
    [
        StructField("source", texts(*_END)),
        StructField("target", texts(*_END)),
        StructField("transformations", ArrayType(_TRANSFORMATION)),
    ]
)


_ARROW_EDGES = arrow_schema(_EDGES)
_ARROW_COLUMN_EDGES = arrow_schema(_COLUMN_EDGES)


def edges_of(remembered: DataFrame, latest: DataFrame) -> DataFrame:
    """Return a row for each edge between jobs and datasets, with who stated it and when first and last.

    Args:
        remembered: What the fold remembers.
        latest: The latest of each facet.
    """
    stated = map_batches(_lineage_facets(remembered, latest, "lineage"), _read_edges, _EDGES)
    return (
        _used(remembered)
        .unionByName(stated)
        .groupBy("source", "target")
        .agg(
            sql.sort_array(sql.collect_set("origin")).alias("origins"),
            sql.min("first").alias("first"),
            sql.max("last").alias("last"),
        )
        .select(
            "source",
            "target",
            "origins",
            sql.col("first.time").alias("first_seen"),
            sql.col("last.time").alias("last_seen"),
        )
    )


def column_edges_of(remembered: DataFrame, latest: DataFrame) -> DataFrame:
    """Return a row for each edge that has a column at either end, with what happens on the way.

    Args:
        remembered: What the fold remembers.
        latest: The latest of each facet.
    """
    facets = _lineage_facets(remembered, latest, "lineage", "columnLineage")
    steps = sql.sort_array(sql.array_distinct(sql.flatten(sql.collect_list("transformations"))))
    return (
        map_batches(facets, _read_column_edges, _COLUMN_EDGES)
        .groupBy("source", "target")
        .agg(steps.alias("transformations"))
    )


def _used(remembered: DataFrame) -> DataFrame:
    uses = remembered.where(sql.col("part") == "use")
    job = sql.struct(sql.lit("job").alias("kind"), "namespace", "name")
    dataset = sql.struct(
        sql.lit("dataset").alias("kind"),
        sql.col("other_namespace").alias("namespace"),
        sql.col("other_name").alias("name"),
    )
    reads = sql.col("key") == "input"
    return uses.select(
        sql.when(reads, dataset).otherwise(job).alias("source"),
        sql.when(reads, job).otherwise(dataset).alias("target"),
        sql.col("source").alias("origin"),
        _moment("first"),
        _moment("last"),
    )


def _moment(column: str) -> Column:
    parts = [sql.col(f"{column}.{name}") for name in ("seconds", "fraction", "time")]
    return sql.struct(*parts).alias(column)


def _lineage_facets(remembered: DataFrame, latest: DataFrame, *keys: str) -> DataFrame:
    """Return facets that state edges, with the span in which they were stated.

    A facet of a dataset may speak of "the job": that of the run that said it.
    """
    facets = latest.where(
        (sql.col("part") == "facet")
        & sql.col("entity").isin("job", "dataset")
        & sql.col("key").isin(*keys)
        & ~sql.col("latest.deleted")
    )
    jobs = remembered.where((sql.col("entity") == "run") & (sql.col("part") == "job"))
    jobs_of_runs = jobs.groupBy(sql.col("name").alias("run")).agg(sql.max("last").alias("job"))
    return facets.join(jobs_of_runs, sql.col("latest.source") == sql.col("run"), "left").select(
        "entity",
        "namespace",
        "name",
        "key",
        sql.col("latest.value").alias("value"),
        sql.col("job.value").alias("job_namespace"),
        sql.col("job.name").alias("job_name"),
        _moment("first"),
        _moment("latest").alias("last"),
    )


def _read_edges(batches: Batches) -> Batches:
    for batch in batches:
        columns: list[list[Any]] = [[] for _ in _ARROW_EDGES]
        for facet in batch.to_pylist():
            for edge in _lineage(facet).edges:
                row = _node(edge.source), _node(edge.target), "facet", facet["first"], facet["last"]
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
        yield record_batch(_ARROW_EDGES, columns)


def _read_column_edges(batches: Batches) -> Batches:
    for batch in batches:
        columns: list[list[Any]] = [[] for _ in _ARROW_COLUMN_EDGES]
        for facet in batch.to_pylist():
            for edge in _lineage(facet).columns:
                steps = [
                    {name: getattr(step, name) for name in ("type", "subtype", "description", "masking")}
                    for step in edge.transformations
                ]
                for column, value in zip(columns, (_end(edge.source), _end(edge.target), steps), strict=True):
                    column.append(value)
        yield record_batch(_ARROW_COLUMN_EDGES, columns)


def _lineage(facet: dict[str, Any]) -> Lineage:
    """Return what one facet states."""
    builder = LineageBuilder()
    values = {facet["key"]: facet["value"]}
    span = moment_of(facet["first"]["time"]), moment_of(facet["last"]["time"])
    if facet["entity"] == "job":
        of_job = read_facets(JobFacets, values, "")[0]
        if of_job.lineage:
            builder.add_job_lineage(JobId(facet["namespace"], facet["name"]), of_job.lineage, span)
        return builder.lineage()
    of_dataset = read_facets(DatasetFacets, values, "")[0]
    dataset = DatasetId(facet["namespace"], facet["name"])
    if of_dataset.column_lineage:
        builder.add_column_lineage(dataset, of_dataset.column_lineage)
    if of_dataset.lineage:
        named = facet["job_name"] is not None
        job = JobId(facet["job_namespace"], facet["job_name"]) if named else None
        builder.add_dataset_lineage(dataset, of_dataset.lineage, job, span)
    return builder.lineage()


def _node(node: Node) -> dict[str, str]:
    kind = "job" if isinstance(node, JobId) else "dataset"
    return {"kind": kind, "namespace": node.namespace, "name": node.name}


def _end(end: ColumnId | Node) -> dict[str, str | None]:
    if isinstance(end, ColumnId):
        return {**_node(end.dataset), "column": end.name}
    return {**_node(end), "column": None}
