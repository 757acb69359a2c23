"""Compute the tables of edges and column edges from records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, BooleanType, StringType, StructField, StructType

from openlineage_facets.generated.containers import DatasetFacets, JobFacets
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.spark.archives.records.folded_run import run_record
from openlineage_facets.spark.archives.records.job_uses import uses_from_json
from openlineage_facets.spark.archives.records.moments import instant_at, moment_of, time_at
from openlineage_facets.spark.archives.records.record import Record
from openlineage_facets.spark.archives.tables.entity_tables import TableRow, mapped_records
from openlineage_facets.state import ColumnEdge, ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.record_lineage import inputs_of_outputs
from openlineage_facets.state.typed_facets import read_facets

__all__ = [
    "COLUMN_EDGES_SCHEMA",
    "EDGES_SCHEMA",
    "column_edges_of",
    "edge_tables",
    "edges_of",
    "has_edges",
    "names_job_by_run",
    "writes_of",
]

_KEYS = ("lineage", "columnLineage")
"""The keys of facets with edges."""

_RUN_WRITES = "run writes"
"""The kind of a record of `writes_of`."""

_NODE = ("kind", "namespace", "name")
_END = (*_NODE, "column")
_EDGES = StructType(
    [
        StructField("source", texts(*_NODE)),
        StructField("target", texts(*_NODE)),
        *texts("origin", "first", "last").fields,
    ]
)
_INPUTS = StructField("inputs", ArrayType(texts("namespace", "name")))
_WRITES = StructType([*_EDGES.fields[:2], _INPUTS, StructField("declared", BooleanType())])
EDGES_SCHEMA = StructType(
    [
        *_EDGES.fields[:2],
        StructField("origins", ArrayType(StringType())),
        *texts("first_seen", "last_seen").fields,
        _INPUTS,
    ]
)
_TRANSFORMATION = StructType(
    [*texts("type", "subtype", "description").fields, StructField("masking", BooleanType())]
)
COLUMN_EDGES_SCHEMA = StructType(
    [
        StructField("source", texts(*_END)),
        StructField("target", texts(*_END)),
        StructField("transformations", ArrayType(_TRANSFORMATION)),
    ]
)


_ARROW_EDGES = arrow_schema(_EDGES)
_ARROW_TABLE = arrow_schema(EDGES_SCHEMA)
_ARROW_COLUMN_EDGES = arrow_schema(COLUMN_EDGES_SCHEMA)


def edges_of(records: DataFrame) -> DataFrame:
    """Return a row for each edge between jobs and datasets, with its origins and first and last time.

    `inputs` of an edge from a job to a dataset are those that feed it, null if a run has not declared them.
    """
    writes = mapped_records(records.where(sql.col("kind") == "run"), _written, _WRITES).distinct()
    used = mapped_records(records.where(sql.col("kind") == "job"), _used, _EDGES)
    from_facets = map_batches(_lineage_facets(records, "lineage"), _read_edges, _EDGES)
    edges = (
        used.unionByName(from_facets)
        .unionByName(writes, allowMissingColumns=True)
        .groupBy("source", "target")
        .agg(
            sql.sort_array(sql.collect_set("origin")).alias("origins"),
            sql.min("first").alias("first_seen"),
            sql.max("last").alias("last_seen"),
            sql.when(
                sql.min("declared"),
                sql.array_sort(sql.array_distinct(sql.flatten(sql.collect_list("inputs")))),
            ).alias("inputs"),
        )
        .where("first_seen IS NOT NULL")  # An earlier event of the run may have had another job.
    )
    return map_batches(edges, _with_times, EDGES_SCHEMA)


def column_edges_of(records: DataFrame) -> DataFrame:
    """Return a row for each edge with a column at either end, with its transformations."""
    facets = _lineage_facets(records, *_KEYS)
    steps = sql.sort_array(sql.array_distinct(sql.flatten(sql.collect_list("transformations"))))
    return (
        map_batches(facets, _read_column_edges, COLUMN_EDGES_SCHEMA)
        .groupBy("source", "target")
        .agg(steps.alias("transformations"))
    )


def edge_tables(records: Iterable[Record]) -> tuple[list[TableRow], list[TableRow]]:
    """Return the rows of both tables for merged records in memory.

    Args:
        records: All for which `has_edges` is true, all runs or what `writes_of` returns for them, and the
            runs of those for which `names_job_by_run` is true. Others are ignored.
    """
    listed = list(records)
    runs = {it.name: it.content or "" for it in listed if it.kind == "run"}
    builder = LineageBuilder()
    for record in listed:
        if record.kind == "job":
            job = JobId(record.namespace, record.name)
            for (role, reported_by, *key), span in uses_from_json(record.content or "").items():
                dataset = DatasetId(*key)
                source, target = (dataset, job) if role == "input" else (job, dataset)
                builder.add(source, target, reported_by, span)
        elif record.kind in ("run", _RUN_WRITES):
            written = writes_of(record)
            for target, inputs in json.loads(written.value):
                feeding = None if inputs is None else [DatasetId(*one) for one in inputs]
                builder.add_inputs(JobId(written.namespace, written.name), DatasetId(*target), feeding)
        elif record.key in _KEYS and record.current:
            facet: dict[str, Any] = {**record._asdict(), "job": None}
            if names_job_by_run(record):
                of_run = run_record(runs[record.source]).job
                facet["job"] = of_run and of_run[1]
            _add_facet(builder, facet)
    lineage = builder.lineage()
    edges: list[TableRow] = [
        (
            _node(it.source),
            _node(it.target),
            list(it.origins),
            it.first_seen.text,
            it.last_seen.text,
            None if it.inputs is None else [_named(one) for one in it.inputs],
        )
        for it in lineage.edges
    ]
    return edges, [(_end(it.source), _end(it.target), _steps(it)) for it in lineage.columns]


def has_edges(record: Record) -> bool:
    """Return whether a merged record contributes to `edge_tables`, if not as the run of another one."""
    return record.kind == "job" or (record.key in _KEYS and record.current)


def writes_of(run: Record) -> Record:
    """Return what the record of a run contributes to `edge_tables`, the same for runs that write the same."""
    if run.kind == _RUN_WRITES:
        return run
    record = run_record(run.content or "")
    assert record.job is not None
    writes = [
        [target, None if inputs is None else sorted(inputs)]
        for target, inputs in sorted(inputs_of_outputs(record), key=itemgetter(0))
    ]
    return Record(_RUN_WRITES, *record.job[1], value=json.dumps(writes))


def names_job_by_run(record: Record) -> bool:
    """Return whether sources without a name refer to the job of the run that reported a facet."""
    return record.kind == "dataset facet" and record.key == "lineage" and bool(record.source)


def _used(record: Record) -> Iterator[tuple[Any, ...]]:
    job = _node(JobId(record.namespace, record.name))
    for (role, reported_by, *key), span in uses_from_json(record.content or "").items():
        dataset = _node(DatasetId(*key))
        ends = (dataset, job) if role == "input" else (job, dataset)
        yield *ends, reported_by, *(moment_of(*instant) for instant in span)


def _written(record: Record) -> Iterator[tuple[Any, ...]]:
    run = run_record(record.content or "")
    assert run.job is not None
    job = _node(JobId(*run.job[1]))
    for target, inputs in inputs_of_outputs(run):
        named = None if inputs is None else [_named(DatasetId(*one)) for one in sorted(inputs)]
        yield job, _node(DatasetId(*target)), named, inputs is not None


def _lineage_facets(records: DataFrame, *keys: str) -> DataFrame:
    """Return the current facets with edges.

    Sources without a name in a dataset's `lineage` facet refer to the job of the run that reported the facet.
    """
    facets = records.where(sql.col("key").isin(*keys) & sql.col("current"))
    of_run = (sql.col("kind") == "dataset facet") & (sql.col("key") == "lineage") & (sql.col("source") != "")
    runs = records.where(sql.col("kind") == "run").select(
        sql.col("name").alias("source"), sql.col("content").alias("run")
    )
    # Read after the join, which leaves few runs.
    job = sql.from_json("run", "job array<string>")["job"].alias("job")
    columns = ["kind", "namespace", "name", "key", "value", "first", "last"]
    unnamed = facets.where(~of_run).select(*columns, sql.lit(None).cast("array<string>").alias("job"))
    return unnamed.unionByName(facets.where(of_run).join(runs, "source").select(*columns, job))


def _read_edges(batches: Batches) -> Batches:
    for batch in batches:
        columns: list[list[Any]] = [[] for _ in _ARROW_EDGES]
        for facet in batch.to_pylist():
            for edge in _lineage(facet).edges:
                row = _node(edge.source), _node(edge.target), "facet", facet["first"], facet["last"]
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
        yield record_batch(_ARROW_EDGES, columns)


def _with_times(batches: Batches) -> Batches:
    for batch in batches:
        *columns, first, last, inputs = (column.to_pylist() for column in batch.columns)
        times = ([time_at(moment) for moment in moments] for moments in (first, last))
        yield record_batch(_ARROW_TABLE, [*columns, *times, inputs])


def _read_column_edges(batches: Batches) -> Batches:
    for batch in batches:
        columns: list[list[Any]] = [[] for _ in _ARROW_COLUMN_EDGES]
        for facet in batch.to_pylist():
            for edge in _lineage(facet).columns:
                row = _end(edge.source), _end(edge.target), _steps(edge)
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
        yield record_batch(_ARROW_COLUMN_EDGES, columns)


def _lineage(facet: dict[str, Any]) -> Lineage:
    """Return the edges of one facet."""
    builder = LineageBuilder()
    _add_facet(builder, facet)
    return builder.lineage()


def _add_facet(builder: LineageBuilder, facet: dict[str, Any]) -> None:
    values = {facet["key"]: facet["value"]}
    span = instant_at(facet["first"]), instant_at(facet["last"])
    if facet["kind"] == "job facet":
        job_facets = read_facets(JobFacets, values, "")[0]
        if job_facets.lineage:
            builder.add_job_lineage(JobId(facet["namespace"], facet["name"]), job_facets.lineage, span)
        return
    dataset_facets = read_facets(DatasetFacets, values, "")[0]
    dataset = DatasetId(facet["namespace"], facet["name"])
    if dataset_facets.column_lineage:
        builder.add_column_lineage(dataset, dataset_facets.column_lineage)
    if dataset_facets.lineage:
        job = JobId(*facet["job"][:2]) if facet["job"] else None
        builder.add_dataset_lineage(dataset, dataset_facets.lineage, job, span)


def _steps(edge: ColumnEdge) -> list[dict[str, Any]]:
    return [
        {name: getattr(step, name) for name in ("type", "subtype", "description", "masking")}
        for step in edge.transformations
    ]


def _node(node: Node) -> dict[str, str]:
    return {"kind": "job" if isinstance(node, JobId) else "dataset", **_named(node)}


def _named(node: Node) -> dict[str, str]:
    return {"namespace": node.namespace, "name": node.name}


def _end(end: ColumnId | Node) -> dict[str, str | None]:
    if isinstance(end, ColumnId):
        return {**_node(end.dataset), "column": end.name}
    return {**_node(end), "column": None}
