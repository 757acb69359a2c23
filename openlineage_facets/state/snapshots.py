"""Create the public JobState, DatasetState and RunState from records."""

from __future__ import annotations

from collections.abc import Mapping

from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import EventType
from openlineage_facets.state.canonical_json import read_facets
from openlineage_facets.state.entities import (
    DatasetId,
    DatasetState,
    JobId,
    JobState,
    RunInput,
    RunOutput,
    RunState,
)
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.instants import Span, timestamp_of
from openlineage_facets.state.records import EntityRecord, JobRecord, LatestFacets, Records


def job_state(key: Key, record: JobRecord, at: Instant | None) -> JobState | None:
    """Return a job now or at an instant, or None before its first event."""
    first, last = _seen(record)
    if at is not None and first > at:
        return None
    facets, invalid = read_facets(JobFacets, record.values(at), "/facets")
    used: dict[str, set[DatasetId]] = {"input": set(), "output": set()}
    for (role, _, *dataset), span in record.uses.items():
        if at is None or span[0] <= at:
            used[role].add(DatasetId(*dataset))
    return JobState(
        namespace=key[0],
        name=key[1],
        facets=facets,
        inputs=tuple(sorted(used["input"])),
        outputs=tuple(sorted(used["output"])),
        first_seen=timestamp_of(first),
        last_seen=timestamp_of(last),
        invalid_facets=invalid,
    )


def dataset_state(key: Key, record: EntityRecord, at: Instant | None) -> DatasetState | None:
    """Return a dataset now or at an instant, or None before its first event."""
    first, last = _seen(record)
    if at is not None and first > at:
        return None
    facets, invalid = read_facets(DatasetFacets, record.values(at), "/facets")
    return DatasetState(
        namespace=key[0],
        name=key[1],
        facets=facets,
        first_seen=timestamp_of(first),
        last_seen=timestamp_of(last),
        invalid_facets=invalid,
    )


def run_state(run: str, records: Records) -> RunState | None:
    """Return a run with the facets of its job and datasets, or None if it is unknown."""
    record = records.runs.get(run)
    if record is None or record.job is None or record.seen is None:
        return None
    job = record.job[1]
    at, end, state = record.facets_at(), record.end(), record.state()
    started = record.first_of_type.get("START")
    facets, invalid = read_facets(RunFacets, _values(record.facets), "/run/facets")
    job_facets, invalid_job = read_facets(JobFacets, records.jobs[job].values(at, run), "/job/facets")
    datasets = records.datasets
    return RunState(
        run_id=run,
        job=JobId(*job),
        state=None if state is None else EventType(state),
        started_at=None if started is None else timestamp_of(started),
        ended_at=None if end is None else timestamp_of(end[1]),
        first_seen=timestamp_of(record.seen[0]),
        last_seen=timestamp_of(record.seen[1]),
        facets=facets,
        job_facets=job_facets,
        inputs=tuple(
            _input(key, facets, datasets[key].values(at, run))
            for key, facets in sorted(record.inputs.items())
        ),
        outputs=tuple(
            _output(key, facets, datasets[key].values(at, run))
            for key, facets in sorted(record.outputs.items())
        ),
        invalid_facets={**invalid, **invalid_job},
    )


def _input(key: Key, input_facets: LatestFacets, dataset_facets: Mapping[str, str]) -> RunInput:
    facets, invalid = read_facets(DatasetFacets, dataset_facets, "/facets")
    of_input, invalid_of_input = read_facets(InputDatasetFacets, _values(input_facets), "/inputFacets")
    return RunInput(
        namespace=key[0],
        name=key[1],
        facets=facets,
        input_facets=of_input,
        invalid_facets={**invalid, **invalid_of_input},
    )


def _output(key: Key, output_facets: LatestFacets, dataset_facets: Mapping[str, str]) -> RunOutput:
    facets, invalid = read_facets(DatasetFacets, dataset_facets, "/facets")
    of_output, invalid_of_output = read_facets(OutputDatasetFacets, _values(output_facets), "/outputFacets")
    return RunOutput(
        namespace=key[0],
        name=key[1],
        facets=facets,
        output_facets=of_output,
        invalid_facets={**invalid, **invalid_of_output},
    )


def _values(facets: LatestFacets) -> dict[str, str]:
    return {key: value for key, (_, value) in facets.items()}


def _seen(record: EntityRecord) -> Span:
    assert record.seen is not None
    return record.seen
