"""Build the lineage graph of all records, with one name for datasets that have several."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.model.tombstones import is_tombstone
from openlineage_facets.generated.containers import DatasetFacets, JobFacets
from openlineage_facets.generated.lineage import LineageDatasetEntry, LineageJobEntry
from openlineage_facets.generated.open_lineage import EventType
from openlineage_facets.generated.symlinks_dataset import SymlinksDatasetFacet
from openlineage_facets.state.canonical_json import read_facets
from openlineage_facets.state.entities import DatasetId, JobId
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import FacetHistory, FacetVersion
from openlineage_facets.state.facets_by_job import facets_by_job, versions_by_job
from openlineage_facets.state.instants import Span, timestamp_of, widened
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.lineage_nodes import (
    LineageDataset,
    LineageJob,
    LineageRun,
    RunFacetsOfDataset,
    last_runs,
    primary_names,
)
from openlineage_facets.state.records import EntityRecord, JobRecord, LatestFacets, Records, RunRecord

C = TypeVar("C", bound=FacetMap[Any])

LineageEntry: TypeAlias = LineageDatasetEntry | LineageJobEntry
"""What a job's `lineage` facet says about a dataset or a job."""

_EDGE_FACETS = ("columnLineage", "lineage")
"""The keys of facets of datasets with edges."""


def lineage_of(
    records: Records,
    *,
    join_symlinks: bool = False,
    by_job: bool = False,
    with_facets: bool = True,
    facets: Container[str] | None = None,
) -> Lineage:
    """Return the graph of jobs, datasets and columns.

    Args:
        records: The records of a state, or those of them with edges.
        join_symlinks: Combine datasets that are linked by current `symlinks` facets into one node.
        by_job: Combine what the last runs of all jobs say about a dataset.
        with_facets: Whether jobs and datasets have their facets, times and last runs.
        facets: The keys of the facets of all these. Default: all.
    """
    builder = LineageBuilder()
    if join_symlinks:
        typed = ((key, _typed(DatasetFacets, record, "symlinks")) for key, record in records.datasets.items())
        builder.names = primary_names(
            (DatasetId(*key), _identifiers(history.symlinks)) for key, history in typed if history.symlinks
        )
    if with_facets:
        _add_nodes(builder, records, facets, by_job=by_job)
    _add_inputs(builder, records)
    for key, job in records.jobs.items():
        _add_job_edges(builder, JobId(*key), job, by_job=by_job)
    for key, dataset in records.datasets.items():
        for facet in _EDGE_FACETS:
            if facet in dataset.facets:
                latest = dataset.facets[facet].latest()
                versions = versions_by_job(key, facet, records) if by_job else [latest]
                _add_dataset_edges(builder, DatasetId(*key), facet, versions, records)
    if by_job:
        builder.find_edges_without_columns()
    return builder.lineage()


def _identifiers(facet: SymlinksDatasetFacet) -> list[DatasetId]:
    return [DatasetId(other.namespace, other.name) for other in facet.identifiers or ()]


def _add_job_edges(builder: LineageBuilder, job: JobId, record: JobRecord, *, by_job: bool) -> None:
    for (role, reported_by, *key), span in record.uses.items():
        dataset = DatasetId(*key)
        source, target = (dataset, job) if role == "input" else (job, dataset)
        builder.add(source, target, reported_by, span)
    history = record.facets.get("lineage")
    if history is not None:
        spans: dict[str, Span] = {}
        for _, value, first, last in history.spans():
            spans[value] = widened(spans.get(value), (first[:2], last[:2]))
        for entry, value in _entries(_last_values(history) if by_job else [history.latest().value]):
            builder.add_job_lineage(job, entry, spans[value])


def _last_values(history: FacetHistory) -> list[str]:
    """Return the last values of the runs of a job, and that of its job events, in their order."""
    last_of_run = {version.source: version for version in sorted(history)}
    last_of_value = {version.value: version for version in sorted(last_of_run.values())}
    return [version.value for version in sorted(last_of_value.values())]


def _entries(values: Iterable[str]) -> list[tuple[LineageEntry, str]]:
    """Return the entries of `lineage` facets of a job, each with its facet.

    Of the entries about one dataset or job, those of the last facet count. A tombstone deletes all before it.
    """
    entries: dict[Any, list[tuple[LineageEntry, str]]] = {}
    for value in values:
        if is_tombstone(value):
            entries.clear()
        elif lineage := read_facets(JobFacets, {"lineage": value}, "")[0].lineage:
            own: dict[Any, list[tuple[LineageEntry, str]]] = {}
            for entry in lineage.entries:
                own.setdefault((type(entry), entry.namespace, entry.name), []).append((entry, value))
            entries |= own
    return [entry for of_target in entries.values() for entry in of_target]


def _add_dataset_edges(
    builder: LineageBuilder, dataset: DatasetId, key: str, versions: Iterable[FacetVersion], records: Records
) -> None:
    for version in versions:
        if is_tombstone(version.value):
            continue
        facets = read_facets(DatasetFacets, {key: version.value}, "")[0]
        run = records.runs.get(version.source)
        job = None if run is None or run.job is None else JobId(*run.job[1])
        if facets.column_lineage:
            builder.add_column_lineage(dataset, facets.column_lineage, job)
        if facets.lineage:
            # Sources without a name refer to the job of the run that reported the facet.
            record = records.datasets[dataset.namespace, dataset.name]
            span = record.facets[key].span_of(version.value)
            builder.add_dataset_lineage(dataset, facets.lineage, job, span)


def _typed(container: type[C], record: EntityRecord, *keys: str) -> C:
    """Return some of the facets in force, without invalid ones."""
    chosen = {key: facet for key, facet in record.values().items() if key in keys}
    return read_facets(container, chosen, "")[0]


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


def _add_nodes(
    builder: LineageBuilder, records: Records, facets: Container[str] | None, *, by_job: bool
) -> None:
    runs = last_runs(
        (JobId(*record.job[1]), (record.seen[0], run))
        for run, record in records.runs.items()
        if record.job is not None and record.seen is not None
    )
    for key, job_record in records.jobs.items():
        job = JobId(*key)
        of_job = runs.get(job, [])
        builder.add_job(
            LineageJob(
                id=job,
                facets=_current(job_record, facets),
                last_seen=None if job_record.seen is None else timestamp_of(job_record.seen[1]),
                last_run=next((_run(run, records.runs[run], facets) for run in of_job), None),
                earlier_runs=tuple(_earlier_run(run, records.runs[run]) for run in of_job[1:]),
            )
        )
    for key, record in records.datasets.items():
        last_seen = None if record.seen is None else timestamp_of(record.seen[1])
        current = facets_by_job(key, records, facets) if by_job else _current(record, facets)
        builder.add_dataset(LineageDataset(id=DatasetId(*key), facets=current, last_seen=last_seen))


def _current(record: EntityRecord, keys: Container[str] | None) -> dict[str, Any]:
    """Return the facets in force as JSON."""
    values = sorted(record.values().items())
    return {key: json.loads(value) for key, value in values if keys is None or key in keys}


def _run(run: str, record: RunRecord, keys: Container[str] | None) -> LineageRun:
    return replace(
        _times(run, record),
        facets=_values(record.facets, keys),
        inputs=tuple(_used(record.inputs, keys)),
        outputs=tuple(_used(record.outputs, keys)),
    )


def _earlier_run(run: str, record: RunRecord) -> LineageRun:
    """Return what remains of an earlier run. Its facets may be large."""
    outputs = {key: facets for key, facets in record.outputs.items() if "outputStatistics" in facets}
    return replace(_times(run, record), outputs=tuple(_used(outputs, ["outputStatistics"])))


def _times(run: str, record: RunRecord) -> LineageRun:
    state, end, started = record.state(), record.end(), record.first_of_type.get("START")
    return LineageRun(
        run_id=run,
        state=None if state is None else EventType(state),
        started_at=None if started is None else timestamp_of(started),
        ended_at=None if end is None else timestamp_of(end[1]),
    )


def _used(used: Mapping[Key, LatestFacets], keys: Container[str] | None) -> Iterator[RunFacetsOfDataset]:
    for key, facets in sorted(used.items()):
        yield RunFacetsOfDataset(dataset=DatasetId(*key), facets=_values(facets, keys))


def _values(facets: LatestFacets, keys: Container[str] | None) -> dict[str, Any]:
    values = sorted(facets.items())
    return {key: json.loads(value) for key, (_, value) in values if keys is None or key in keys}
