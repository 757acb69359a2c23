"""Compute the tables of edges and column edges, and the lineage graph, from records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, BooleanType, StringType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.spark.archives.record import (
    FACET,
    RECORDS_SCHEMA,
    Record,
    instant_at,
    moment_of,
    run_record,
    sort_key_at,
    time_at,
    uses_from_json,
)
from openlineage_facets.spark.archives.tables.entity_tables import TableRow, mapped_records
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.column_edges import UNKNOWN, Steps
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import FacetHistory
from openlineage_facets.state.lineage_nodes import MOST_RUNS
from openlineage_facets.state.record_lineage import inputs_of_outputs, lineage_of
from openlineage_facets.state.records import EntityRecord, JobRecord, Records, RunRecord

RUN_WRITES = "run writes"
"""The kind of a record of `writes_of`."""

_ANY_TIME = 0, "", 0
"""The sort key of what has no other versions."""


def writes_of(run: Record) -> Record:
    """Return what the record of a run contributes to edges, the same for runs that write the same."""
    record = run_record(run.content or "")
    assert record.job is not None
    declared = None if record.writes is None else record.writes[1]
    return Record(RUN_WRITES, *record.job[1], value=json.dumps([sorted(record.outputs), declared]))


def run_of_job(job: Key) -> RunRecord:
    """Return a run of which only the job is known."""
    return RunRecord(job=(_ANY_TIME, job))


def state_records(records: Iterable[Record]) -> Records:
    """Return the records of a state with current facets only.

    Args:
        records: Merged records. Those of `writes_of` stand for runs.
    """
    state = Records()
    numbers = count()
    for record in records:
        key = record.namespace, record.name
        if record.kind == "run":
            state.runs[record.name] = run_record(record.content or "")
        elif record.kind == RUN_WRITES:
            outputs, declared = json.loads(record.value)
            run = state.runs[f"{RUN_WRITES} {next(numbers)}"] = run_of_job(key)
            run.outputs = {(namespace, name): {} for namespace, name in outputs}
            run.writes = None if declared is None else (_ANY_TIME, declared)
        elif record.kind.startswith("job"):
            job = state.jobs.setdefault(key, JobRecord())
            _add(job, record)
            if record.content is not None:
                job.uses = uses_from_json(record.content)
        else:
            _add(state.datasets.setdefault(key, EntityRecord()), record)
    return state


def _add(entity: EntityRecord, record: Record) -> None:
    """Add a current facet, or when the job or dataset was seen."""
    first, last = record.first or "", record.last or ""
    if not record.kind.endswith(FACET):
        entity.seen = instant_at(first), instant_at(last)
    elif record.current:
        history = entity.facets[record.key] = FacetHistory()
        # The latest version determines the source.
        for moment in (first, last):
            history.add(sort_key_at(moment), record.value, record.source, exact=False)


_KEYS = ("lineage", "columnLineage")
"""The keys of facets with edges."""

NAMES_JOB_BY_RUN = "kind = 'dataset facet' AND key = 'lineage' AND source != ''"
"""Whether sources without a name refer to the job of the run that reported a facet."""

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


_ARROW_TABLE = arrow_schema(EDGES_SCHEMA)


def edges_of(records: DataFrame) -> DataFrame:
    """Return a row for each edge between jobs and datasets, with its origins and first and last time.

    `inputs` of an edge from a job to a dataset are those that feed it, null if a run has not declared them.
    """
    writes = mapped_records(records.where(sql.col("kind") == "run"), _written, _WRITES).distinct()
    used = mapped_records(records.where(sql.col("kind") == "job"), _used, _EDGES)
    from_facets = mapped_records(_lineage_facets(records, "lineage"), _edges_of_facet, _EDGES)
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
    size, steps = sql.size("transformations"), sql.flatten(sql.collect_list("transformations"))
    # As in memory, unknown transformations stay visible next to those that are known.
    unknown = sql.from_json(sql.lit(json.dumps(_plain(UNKNOWN))), ArrayType(_TRANSFORMATION))
    both = sql.when((sql.min(size) == 0) & (sql.max(size) > 0), sql.concat(steps, unknown)).otherwise(steps)
    return (
        mapped_records(facets, _column_edges_of_facet, COLUMN_EDGES_SCHEMA)
        .groupBy("source", "target")
        .agg(sql.sort_array(sql.array_distinct(both)).alias("transformations"))
    )


def edge_tables(records: Iterable[Record]) -> tuple[list[TableRow], list[TableRow]]:
    """Return the rows of both tables for records in memory.

    Args:
        records: The result of `edge_records` for all merged records, and the runs of `runs_in_facets`.
    """
    lineage = lineage_of(state_records(records), with_facets=False)
    edges: list[TableRow] = [
        (
            _node(edge.source),
            _node(edge.target),
            list(edge.origins),
            edge.first_seen.text,
            edge.last_seen.text,
            None if edge.inputs is None else [_named(dataset) for dataset in edge.inputs],
        )
        for edge in lineage.edges
    ]
    return edges, [
        (_end(edge.source), _end(edge.target), sorted(_plain(edge.transformations), key=_spark_order))
        for edge in lineage.columns
    ]


def edge_records(records: Iterable[Record]) -> list[Record]:
    """Return what merged records contribute to `edge_tables`, without the runs that facets refer to."""
    contributed: dict[Record, None] = {}
    for record in records:
        if record.kind == "run":
            contributed[writes_of(record)] = None
        elif record.kind == "job" or (record.key in _KEYS and record.current):
            contributed[record] = None
    return list(contributed)


def runs_in_facets(records: Iterable[Record]) -> set[str]:
    """Return the ids of the runs whose job is meant by sources without a name."""
    return {
        record.source for record in records if (record.kind, record.key) == ("dataset facet", "lineage")
    } - {""}


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
        named = None if inputs is None else [_named(DatasetId(*dataset)) for dataset in sorted(inputs)]
        yield job, _node(DatasetId(*target)), named, inputs is not None


def _lineage_facets(records: DataFrame, *keys: str) -> DataFrame:
    """Return the current facets with edges, and as their content the job of the run, if they refer to it."""
    facets = records.where(sql.col("key").isin(*keys) & sql.col("current"))
    of_run = sql.expr(NAMES_JOB_BY_RUN)
    runs = records.where(sql.col("kind") == "run").select(
        sql.col("name").alias("source"), sql.col("content").alias("run")
    )
    # Read after the join, which leaves few runs.
    job = sql.get_json_object("run", "$.job")
    with_job = facets.where(of_run).join(runs, "source").withColumn("content", job).select(*Record._fields)
    return facets.where(~of_run).unionByName(with_job)


def _edges_of_facet(facet: Record) -> Iterator[TableRow]:
    for edge in _lineage(facet).edges:
        yield _node(edge.source), _node(edge.target), "facet", facet.first, facet.last


def _column_edges_of_facet(facet: Record) -> Iterator[TableRow]:
    for edge in _lineage(facet).columns:
        yield _end(edge.source), _end(edge.target), _plain(edge.transformations)


def _lineage(facet: Record) -> Lineage:
    """Return the edges of one facet."""
    records = state_records([facet])
    if facet.content is not None:
        namespace, name, _ = json.loads(facet.content)
        records.runs[facet.source] = run_of_job((namespace, name))
    return lineage_of(records, with_facets=False)


def _with_times(batches: Batches) -> Batches:
    for batch in batches:
        *columns, first, last, inputs = (column.to_pylist() for column in batch.columns)
        times = ([time_at(moment) for moment in moments] for moments in (first, last))
        yield record_batch(_ARROW_TABLE, [*columns, *times, inputs])


def _plain(steps: Steps) -> list[dict[str, Any]]:
    return [
        {name: getattr(step, name) for name in ("type", "subtype", "description", "masking")}
        for step in steps
    ]


def _spark_order(step: dict[str, Any]) -> list[tuple[bool, Any]]:
    """Return the sort key of a struct in Spark: null sorts before all values."""
    return [(value is not None, value) for value in step.values()]


def _node(node: Node) -> dict[str, str]:
    return {"kind": "job" if isinstance(node, JobId) else "dataset", **_named(node)}


def _named(node: Node) -> dict[str, str]:
    return {"namespace": node.namespace, "name": node.name}


def _end(end: ColumnId | Node) -> dict[str, str | None]:
    if isinstance(end, ColumnId):
        return {**_node(end.dataset), "column": end.name}
    return {**_node(end), "column": None}


def collected_lineage(records: DataFrame, *, join_symlinks: bool) -> Lineage:
    """Return the graph of jobs, datasets and columns.

    Of most runs, only what they have written is collected, once for all runs that have written the same.
    """
    runs = records.where("kind = 'run'")
    current = records.where("kind != 'run' AND current")
    facets = current.where(NAMES_JOB_BY_RUN).select(sql.col("source").alias("name"))
    parts = (
        current,
        _last_runs(runs),
        runs.join(facets, "name", "left_semi"),
        mapped_records(runs, _writes, RECORDS_SCHEMA).distinct(),
    )
    rows = (row for part in parts for row in part.select(*Record._fields).collect())
    state = state_records(Record(*row) for row in rows)
    return lineage_of(state, join_symlinks=join_symlinks)


def _last_runs(runs: DataFrame) -> DataFrame:
    """Return the runs of each job that were first seen last."""
    run = sql.from_json("content", "job array<string>, seen array<string>")
    first_seen = sql.struct(run["seen"][0], sql.col("name"))
    of_job = Window.partitionBy(sql.slice(run["job"], 1, 2)).orderBy(first_seen.desc())
    numbered = runs.withColumn("place", sql.row_number().over(of_job))
    return numbered.where(sql.col("place") <= MOST_RUNS).drop("place")


def _writes(run: Record) -> Iterator[Record]:
    yield writes_of(run)
