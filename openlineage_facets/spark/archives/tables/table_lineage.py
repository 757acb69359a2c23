"""Collect the lineage graph of the tables of a fold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as sql

from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.generated.containers import DatasetFacets
from openlineage_facets.generated.open_lineage import EventType
from openlineage_facets.state import (
    ColumnId,
    DatasetId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    LineageRun,
    Node,
    RunFacetsOfDataset,
    Transformation,
)
from openlineage_facets.state.instants import instant_of
from openlineage_facets.state.lineage import LineageBuilder
from openlineage_facets.state.symlinks import primary_names
from openlineage_facets.state.typed_facets import read_facets

__all__ = ["GraphTables", "lineage_of_tables"]

_Subject: TypeAlias = tuple[str, str | None, str | None, str | None]
"""Entity, namespace, name and run id of a facet."""


@dataclass(frozen=True)
class GraphTables:
    """The tables of a fold that a graph is made of."""

    jobs: DataFrame
    datasets: DataFrame
    runs: DataFrame
    facets: DataFrame
    edges: DataFrame
    column_edges: DataFrame


def lineage_of_tables(tables: GraphTables, *, join_symlinks: bool) -> Lineage:
    """Return the graph of jobs, datasets and columns. Only the last run of each job is collected."""
    runs = _last_runs(tables.runs)
    facets = _facets(tables.facets, runs)
    builder = LineageBuilder()
    if join_symlinks:
        builder.names = _primary_names(facets)
    runs_of_jobs = {JobId(*run.job): run for run in runs.collect()}
    for row in tables.jobs.select("namespace", "name", "last_seen").collect():
        job = JobId(row.namespace, row.name)
        run = runs_of_jobs.get(job)
        builder.add_job(
            LineageJob(
                id=job,
                facets=facets.get(("job", *_key(job), None), {}),
                last_seen=Timestamp(row.last_seen),
                last_run=None if run is None else _run(run, facets),
            )
        )
    for row in tables.datasets.collect():
        dataset = DatasetId(row.namespace, row.name)
        of_dataset = facets.get(("dataset", *_key(dataset), None), {})
        builder.add_dataset(LineageDataset(id=dataset, facets=of_dataset, last_seen=Timestamp(row.last_seen)))
    for row in tables.edges.collect():
        span = instant_of(row.first_seen), instant_of(row.last_seen)
        for origin in row.origins:
            builder.add(_node(row.source), _node(row.target), origin, span)
        if row.inputs is not None:
            target = DatasetId(row.target.namespace, row.target.name)
            inputs = (DatasetId(one.namespace, one.name) for one in row.inputs)
            builder.add_inputs(JobId(row.source.namespace, row.source.name), target, inputs)
    for row in tables.column_edges.collect():
        steps = (Transformation(*step) for step in row.transformations)
        builder.add_columns(_end(row.source), _end(row.target), steps)
    return builder.lineage()


def _last_runs(runs: DataFrame) -> DataFrame:
    # Without the Z, times sort as text, with and without fraction digits.
    first_seen = sql.regexp_replace("first_seen", "Z$", "")
    last = sql.max_by(sql.struct(*runs.columns), sql.struct(first_seen, "run_id"))
    return runs.groupBy("job").agg(last.alias("run")).select("run.*").cache()


def _facets(facets: DataFrame, runs: DataFrame) -> dict[_Subject, dict[str, Any]]:
    """Return the facets of jobs, datasets and the last runs as JSON."""
    of_runs = facets.join(runs.select("run_id"), "run_id", "left_semi").select(*facets.columns)
    found: dict[_Subject, dict[str, Any]] = {}
    for row in facets.where("run_id IS NULL").unionByName(of_runs).collect():
        subject = row.entity, row.namespace, row.name, row.run_id
        found.setdefault(subject, {})[row.key] = json.loads(row.facet)
    return found


def _primary_names(facets: dict[_Subject, dict[str, Any]]) -> dict[DatasetId, DatasetId]:
    links = []
    for (entity, namespace, name, _), values in facets.items():
        if entity == "dataset" and "symlinks" in values:
            facet = {"symlinks": json.dumps(values["symlinks"])}
            symlinks = read_facets(DatasetFacets, facet, "")[0].symlinks
            if symlinks is not None:
                links.append((DatasetId(namespace or "", name or ""), symlinks))
    return primary_names(links)


def _run(run: Row, facets: dict[_Subject, dict[str, Any]]) -> LineageRun:
    def used(role: str, datasets: Iterable[Row]) -> Iterable[RunFacetsOfDataset]:
        for one in datasets:
            subject = role, one.namespace, one.name, run.run_id
            dataset = DatasetId(one.namespace, one.name)
            yield RunFacetsOfDataset(dataset=dataset, facets=facets.get(subject, {}))

    return LineageRun(
        run_id=run.run_id,
        state=None if run.state is None else EventType(run.state),
        started_at=None if run.started_at is None else Timestamp(run.started_at),
        ended_at=None if run.ended_at is None else Timestamp(run.ended_at),
        facets=facets.get(("run", None, None, run.run_id), {}),
        inputs=tuple(used("input", run.inputs)),
        outputs=tuple(used("output", run.outputs)),
    )


def _key(node: Node) -> tuple[str, str]:
    return node.namespace, node.name


def _node(end: Row) -> Node:
    return (JobId if end.kind == "job" else DatasetId)(end.namespace, end.name)


def _end(end: Row) -> ColumnId | Node:
    if end.column is None:
        return _node(end)
    return ColumnId(DatasetId(end.namespace, end.name), end.column)
