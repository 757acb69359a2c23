"""Build the lineage graph of all records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from openlineage_facets.generated.containers import DatasetFacets, JobFacets
from openlineage_facets.generated.open_lineage import EventType
from openlineage_facets.state.entities import DatasetId, JobId
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.instants import timestamp_of
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.lineage_nodes import (
    LineageDataset,
    LineageJob,
    LineageRun,
    RunFacetsOfDataset,
    last_runs,
)
from openlineage_facets.state.records import EntityRecord, LatestFacets, Records, RunRecord
from openlineage_facets.state.symlinks import primary_names
from openlineage_facets.state.typed_facets import is_tombstone, read_facets

__all__ = ["inputs_of_outputs", "lineage_of"]


def lineage_of(records: Records, *, join_symlinks: bool) -> Lineage:
    """Return the graph of jobs, datasets and columns."""
    jobs = {
        JobId(*key): read_facets(JobFacets, _latest(record, "lineage"), "")[0]
        for key, record in records.jobs.items()
    }
    datasets = {
        DatasetId(*key): read_facets(
            DatasetFacets, _latest(record, "columnLineage", "lineage", "symlinks"), ""
        )[0]
        for key, record in records.datasets.items()
    }
    builder = LineageBuilder()
    if join_symlinks:
        builder.names = primary_names(
            (dataset, facets.symlinks) for dataset, facets in datasets.items() if facets.symlinks
        )
    _add_nodes(builder, records)
    _add_inputs(builder, records)
    for job_key, job_record in records.jobs.items():
        job = JobId(*job_key)
        for (role, reported_by, *key), span in job_record.uses.items():
            dataset = DatasetId(*key)
            if role == "input":
                builder.add(dataset, job, reported_by, span)
            else:
                builder.add(job, dataset, reported_by, span)
        if job_lineage := jobs[job].lineage:
            history = job_record.facets["lineage"]
            builder.add_job_lineage(job, job_lineage, history.span_of(history.latest().value))
    for dataset, facets in datasets.items():
        if facets.column_lineage:
            builder.add_column_lineage(dataset, facets.column_lineage)
        if facets.lineage:
            history = records.datasets[dataset.namespace, dataset.name].facets["lineage"]
            version = history.latest()
            run_job = records.runs[version.source].job if version.source else None
            builder.add_dataset_lineage(
                dataset,
                facets.lineage,
                JobId(*run_job[1]) if run_job else None,
                history.span_of(version.value),
            )
    return builder.lineage()


def _add_inputs(builder: LineageBuilder, records: Records) -> None:
    """Add which inputs feed the outputs of the jobs whose runs declare it."""
    declaring = {
        run.job[1] for run in records.runs.values() if run.writes is not None and run.job is not None
    }
    for run in records.runs.values():
        if run.job is not None and run.job[1] in declaring:
            for target, inputs in inputs_of_outputs(run):
                feeding = None if inputs is None else [DatasetId(*key) for key in inputs]
                builder.add_inputs(JobId(*run.job[1]), DatasetId(*target), feeding)


def inputs_of_outputs(run: RunRecord) -> Iterator[tuple[Key, frozenset[Key] | None]]:
    """Yield each output of a run with the inputs that feed it, None if that is not declared."""
    declared = run.declared_writes()
    return ((output, declared.get(output)) for output in run.outputs)


def _latest(record: EntityRecord, *keys: str) -> dict[str, str]:
    return {key: record.facets[key].latest().value for key in keys if key in record.facets}


def _add_nodes(builder: LineageBuilder, records: Records) -> None:
    runs = last_runs(
        (JobId(*record.job[1]), (record.seen[0], run))
        for run, record in records.runs.items()
        if record.job is not None and record.seen is not None
    )
    for key, job_record in records.jobs.items():
        job = JobId(*key)
        run = runs.get(job)
        builder.add_job(
            LineageJob(
                id=job,
                facets=_current(job_record),
                last_seen=None if job_record.seen is None else timestamp_of(job_record.seen[1]),
                last_run=None if run is None else _run(run, records.runs[run]),
            )
        )
    for key, record in records.datasets.items():
        last_seen = None if record.seen is None else timestamp_of(record.seen[1])
        builder.add_dataset(LineageDataset(id=DatasetId(*key), facets=_current(record), last_seen=last_seen))


def _current(record: EntityRecord) -> dict[str, Any]:
    """Return the facets in force as JSON."""
    values = sorted(record.values().items())
    return {key: json.loads(value) for key, value in values if not is_tombstone(value)}


def _run(run: str, record: RunRecord) -> LineageRun:
    state, end, started = record.state(), record.end(), record.first_of_type.get("START")
    return LineageRun(
        run_id=run,
        state=None if state is None else EventType(state),
        started_at=None if started is None else timestamp_of(started),
        ended_at=None if end is None else timestamp_of(end[1]),
        facets=_values(record.facets),
        inputs=tuple(_used(record.inputs)),
        outputs=tuple(_used(record.outputs)),
    )


def _used(used: dict[Key, LatestFacets]) -> Iterator[RunFacetsOfDataset]:
    for key, facets in sorted(used.items()):
        yield RunFacetsOfDataset(dataset=DatasetId(*key), facets=_values(facets))


def _values(facets: LatestFacets) -> dict[str, Any]:
    return {key: json.loads(value) for key, (_, value) in sorted(facets.items())}
