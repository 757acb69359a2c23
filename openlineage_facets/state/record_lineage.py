"""Build the lineage graph of all records."""

from __future__ import annotations

from openlineage_facets.generated.containers import DatasetFacets, JobFacets
from openlineage_facets.state.entities import DatasetId, JobId
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.records import EntityRecord, Records
from openlineage_facets.state.symlinks import primary_names
from openlineage_facets.state.typed_facets import read_facets

__all__ = ["lineage_of"]


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


def _latest(record: EntityRecord, *keys: str) -> dict[str, str]:
    return {key: record.facets[key].latest().value for key in keys if key in record.facets}
