"""Compute the tables of edges and column edges from records."""

from __future__ import annotations

from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, BooleanType, LongType, StringType, StructField, StructType

from openlineage_facets.generated.containers import DatasetFacets, JobFacets
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.instants import instant_of
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.typed_facets import read_facets

__all__ = ["column_edges_of", "edges_of"]


_NODE = ("kind", "namespace", "name")
_END = (*_NODE, "column")
_INSTANT = StructType(
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
        StructField("first", _INSTANT),
        StructField("last", _INSTANT),
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


def edges_of(records: DataFrame, latest: DataFrame) -> DataFrame:
    """Return a row for each edge between jobs and datasets, with its origins and first and last time.

    Args:
        records: The records of the fold.
        latest: The latest version of each facet.
    """
    from_facets = map_batches(_lineage_facets(records, latest, "lineage"), _read_edges, _EDGES)
    return (
        _used(records)
        .unionByName(from_facets)
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


def column_edges_of(records: DataFrame, latest: DataFrame) -> DataFrame:
    """Return a row for each edge with a column at either end, with its transformations.

    Args:
        records: The records of the fold.
        latest: The latest version of each facet.
    """
    facets = _lineage_facets(records, latest, "lineage", "columnLineage")
    steps = sql.sort_array(sql.array_distinct(sql.flatten(sql.collect_list("transformations"))))
    return (
        map_batches(facets, _read_column_edges, _COLUMN_EDGES)
        .groupBy("source", "target")
        .agg(steps.alias("transformations"))
    )


def _used(records: DataFrame) -> DataFrame:
    uses = records.where(sql.col("part") == "use")
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
        _instant("first"),
        _instant("last"),
    )


def _instant(column: str) -> Column:
    parts = [sql.col(f"{column}.{name}") for name in ("seconds", "fraction", "time")]
    return sql.struct(*parts).alias(column)


def _lineage_facets(records: DataFrame, latest: DataFrame, *keys: str) -> DataFrame:
    """Return the facets with edges and the time span in which they were reported.

    Sources without a name in a dataset facet refer to the job of the run that reported the facet.
    """
    facets = latest.where(
        (sql.col("part") == "facet")
        & sql.col("entity").isin("job", "dataset")
        & sql.col("key").isin(*keys)
        & ~sql.col("latest.deleted")
    )
    jobs = records.where((sql.col("entity") == "run") & (sql.col("part") == "job"))
    jobs_of_runs = jobs.groupBy(sql.col("name").alias("run")).agg(sql.max("last").alias("job"))
    return facets.join(jobs_of_runs, sql.col("latest.source") == sql.col("run"), "left").select(
        "entity",
        "namespace",
        "name",
        "key",
        sql.col("latest.value").alias("value"),
        sql.col("job.value").alias("job_namespace"),
        sql.col("job.name").alias("job_name"),
        _instant("first"),
        _instant("latest").alias("last"),
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
    """Return the edges of one facet."""
    builder = LineageBuilder()
    values = {facet["key"]: facet["value"]}
    span = instant_of(facet["first"]["time"]), instant_of(facet["last"]["time"])
    if facet["entity"] == "job":
        job_facets = read_facets(JobFacets, values, "")[0]
        if job_facets.lineage:
            builder.add_job_lineage(JobId(facet["namespace"], facet["name"]), job_facets.lineage, span)
        return builder.lineage()
    dataset_facets = read_facets(DatasetFacets, values, "")[0]
    dataset = DatasetId(facet["namespace"], facet["name"])
    if dataset_facets.column_lineage:
        builder.add_column_lineage(dataset, dataset_facets.column_lineage)
    if dataset_facets.lineage:
        named = facet["job_name"] is not None
        job = JobId(facet["job_namespace"], facet["job_name"]) if named else None
        builder.add_dataset_lineage(dataset, dataset_facets.lineage, job, span)
    return builder.lineage()


def _node(node: Node) -> dict[str, str]:
    kind = "job" if isinstance(node, JobId) else "dataset"
    return {"kind": kind, "namespace": node.namespace, "name": node.name}


def _end(end: ColumnId | Node) -> dict[str, str | None]:
    if isinstance(end, ColumnId):
        return {**_node(end.dataset), "column": end.name}
    return {**_node(end), "column": None}
