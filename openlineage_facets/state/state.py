"""Folds events into the current state of jobs, datasets and runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from openlineage_facets.generated.containers import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from openlineage_facets.generated.open_lineage import DatasetEvent, EventType, JobEvent, RunEvent
from openlineage_facets.state.entities import (
    DatasetId,
    DatasetState,
    JobId,
    JobState,
    RunInput,
    RunOutput,
    RunState,
)
from openlineage_facets.state.facets import read_facets
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.moments import Moment, moment_of, timestamp_of
from openlineage_facets.state.reading import EventReading, Key, read, run_key
from openlineage_facets.state.records import DatasetRecord, Facets, JobRecord, RunRecord
from openlineage_facets.state.serialization import records_of, to_plain
from openlineage_facets.state.symlinks import primary_names

__all__ = ["LineageState"]


class LineageState:
    """What a stream of run, job and dataset events adds up to, whatever order they arrive in.

    Facets of a job or dataset hold from the moment of the event that carries them, for whatever comes
    later, until an event gives another facet under the same key or deletes it (`_deleted`); a facet is
    replaced as a whole, so the latest `tags` are all the tags there are. Facets of a run, of an input
    and of an output belong to that run alone, and a run's events add up: the latest of each facet, all
    inputs, all outputs. Inputs and outputs of a job, too, add up over its runs and job events; the input
    and output facets of a job event belong to no run and are not kept.

    **Order.** Events count by their `eventTime`, compared to the last digit and with its offset. Of two
    facets said at one moment, the one of the greater event stands, in this order: a job or dataset event,
    START, RUNNING, OTHER (and an event without a type), FAIL, ABORT, COMPLETE; within one rank, what is
    said of an output stands over the rest, and at last the facet whose canonical JSON (sorted keys, no
    spaces) is the greater text. A run ends with its earliest terminal event; at one moment FAIL comes
    before ABORT before COMPLETE. So any order of arrival gives an equal state, and an event that arrives
    twice changes nothing.

    **Memory** grows with the jobs, datasets and runs there are and with what each run touches, and with
    the different values that each facet of a job or dataset takes; not with the number of events. Of each
    value of such a facet, the state remembers the first and the last time that each run said it, and the
    first and the last time that job and dataset events did. `job(...)`, `dataset(...)` without `at` are
    exact with that. The facets in force at a moment of the past, as in `run(...)`, are exact unless one
    source (one run, or the job and dataset events together) says the same thing three times or more, and
    another value stood between two of them: then the times in the middle are forgotten, and the other
    value is taken to hold until the last. With `exact_history` no time is forgotten, and memory grows by
    some 100 bytes for each facet of a job or dataset in each event.

    Args:
        exact_history: Whether to remember every time a facet was repeated.

    Example:
        >>> state = LineageState()
        >>> for line in open("lineage.ndjson"):
        ...     state.apply(parse_event(line))
        >>> state.dataset("s3://lake", "curated/daily").facets.schema
        SchemaDatasetFacet(fields=[20 items])
    """

    __slots__ = ("_datasets", "_exact", "_jobs", "_runs")

    def __init__(self, *, exact_history: bool = False) -> None:
        self._exact = exact_history
        self._jobs: dict[Key, JobRecord] = {}
        self._datasets: dict[Key, DatasetRecord] = {}
        self._runs: dict[str, RunRecord] = {}

    def apply(self, event: RunEvent | JobEvent | DatasetEvent | Mapping[str, Any]) -> None:
        """Fold an event into the state.

        Args:
            event: An event, or its wire form as `json.loads` gives it. It need not be strictly valid:
                facets that are not what their schema says are kept as they are, and what is no object
                among the inputs and outputs is passed over.

        Raises:
            EventError: It is no event, it has no time with an offset, or a run, job or dataset in it has
                no name. The state is as it was before.
        """
        said = read(event)
        if said.dataset is not None:
            self._say_of_dataset(said.dataset.key, said.dataset.facets, said, output=False)
            return
        if said.run is not None:
            self._runs.setdefault(said.run, RunRecord()).add(said)
        if said.job is not None:
            self._say_of_job(said.job, said)
        for output, datasets in ((False, said.inputs), (True, said.outputs)):
            for dataset in datasets:
                self._say_of_dataset(dataset.key, dataset.facets, said, output=output)

    def _say_of_dataset(
        self, key: Key, facets: Mapping[str, str], said: EventReading, *, output: bool
    ) -> None:
        record = self._datasets.setdefault(key, DatasetRecord())
        record.say(facets, said.order(output=output), said.run or "", every=self._exact)

    def _say_of_job(self, key: Key, said: EventReading) -> None:
        record = self._jobs.setdefault(key, JobRecord())
        record.say(said.job_facets or {}, said.order(), said.run or "", every=self._exact)
        span = said.moment, said.moment
        stated_by: Literal["job", "run"] = "job" if said.run is None else "run"
        for dataset in said.inputs:
            record.use(("input", stated_by, *dataset.key), span)
        for dataset in said.outputs:
            record.use(("output", stated_by, *dataset.key), span)

    def merge(self, other: LineageState) -> None:
        """Fold everything that another state was told into this one.

        States of parts of a stream merge into the state of the whole, in whatever way it was parted:
        merging is associative, commutative and idempotent.

        Raises:
            ValueError: One state has an exact history and the other has not.
        """
        if other._exact != self._exact:
            raise ValueError("only states with the same `exact_history` merge: give both the same")
        for job, job_record in other._jobs.items():
            self._jobs.setdefault(job, JobRecord()).merge(job_record, every=self._exact)
        for dataset, record in other._datasets.items():
            self._datasets.setdefault(dataset, DatasetRecord()).merge(record, every=self._exact)
        for run, run_record in other._runs.items():
            self._runs.setdefault(run, RunRecord()).merge(run_record)

    def jobs(self) -> Iterator[JobId]:
        """Return the jobs the state knows, sorted."""
        return (JobId(*key) for key in sorted(self._jobs))

    def datasets(self) -> Iterator[DatasetId]:
        """Return the datasets the state knows, sorted."""
        return (DatasetId(*key) for key in sorted(self._datasets))

    def runs(self) -> Iterator[str]:
        """Return the ids of the runs the state knows, sorted."""
        return iter(sorted(self._runs))

    def job(self, namespace: str, name: str, *, at: datetime | str | None = None) -> JobState | None:
        """Return a job, or None where no event named it.

        Args:
            namespace: Namespace of the job.
            name: Name of the job.
            at: The moment to tell the facets, inputs and outputs of; now, if not given.
        """
        moment = None if at is None else moment_of(at)
        record = self._jobs.get((namespace, name))
        if record is None or _not_yet(record, moment):
            return None
        facets, invalid = read_facets(JobFacets, record.values(moment), "/facets")
        first, last = _seen(record)
        used: dict[str, set[DatasetId]] = {"input": set(), "output": set()}
        for (role, _, *key), span in record.uses.items():
            if moment is None or span[0] <= moment:
                used[role].add(DatasetId(*key))
        return JobState(
            namespace=namespace,
            name=name,
            facets=facets,
            inputs=tuple(sorted(used["input"])),
            outputs=tuple(sorted(used["output"])),
            first_seen=timestamp_of(first),
            last_seen=timestamp_of(last),
            invalid_facets=invalid,
        )

    def dataset(self, namespace: str, name: str, *, at: datetime | str | None = None) -> DatasetState | None:
        """Return a dataset, or None where no event named it.

        Args:
            namespace: Namespace of the dataset.
            name: Name of the dataset.
            at: The moment to tell the facets of; now, if not given.
        """
        moment = None if at is None else moment_of(at)
        record = self._datasets.get((namespace, name))
        if record is None or _not_yet(record, moment):
            return None
        facets, invalid = read_facets(DatasetFacets, record.values(moment), "/facets")
        first, last = _seen(record)
        return DatasetState(
            namespace=namespace,
            name=name,
            facets=facets,
            first_seen=timestamp_of(first),
            last_seen=timestamp_of(last),
            invalid_facets=invalid,
        )

    def run(self, run_id: str | UUID) -> RunState | None:
        """Return a run, or None where no event named it."""
        run = run_key(str(run_id))
        record = self._runs.get(run)
        if record is None or record.job is None or record.seen is None:
            return None
        job = record.job[1]
        moment, end, state = record.moment(), record.end(), record.state()
        started = record.first_of_type.get("START")
        facets, invalid = read_facets(RunFacets, _latest(record.facets), "/run/facets")
        job_facets, invalid_job = read_facets(JobFacets, self._jobs[job].values(moment, run), "/job/facets")
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
            inputs=tuple(self._input(key, record.inputs[key], moment, run) for key in sorted(record.inputs)),
            outputs=tuple(
                self._output(key, record.outputs[key], moment, run) for key in sorted(record.outputs)
            ),
            invalid_facets={**invalid, **invalid_job},
        )

    def _input(self, key: Key, facets: Facets, moment: Moment, run: str) -> RunInput:
        held, invalid = read_facets(DatasetFacets, self._datasets[key].values(moment, run), "/facets")
        read_with, invalid_read = read_facets(InputDatasetFacets, _latest(facets), "/inputFacets")
        return RunInput(
            namespace=key[0],
            name=key[1],
            facets=held,
            input_facets=read_with,
            invalid_facets={**invalid, **invalid_read},
        )

    def _output(self, key: Key, facets: Facets, moment: Moment, run: str) -> RunOutput:
        held, invalid = read_facets(DatasetFacets, self._datasets[key].values(moment, run), "/facets")
        written_with, invalid_write = read_facets(OutputDatasetFacets, _latest(facets), "/outputFacets")
        return RunOutput(
            namespace=key[0],
            name=key[1],
            facets=held,
            output_facets=written_with,
            invalid_facets={**invalid, **invalid_write},
        )

    def lineage(self, *, join_symlinks: bool = False) -> Lineage:
        """Return the graph of everything the state knows.

        Edges come from the inputs and outputs of run events and job events, and from the `lineage` facets
        in force; column edges from the `columnLineage` and `lineage` facets in force. A facet that is not
        what its schema says gives none.

        Args:
            join_symlinks: Whether datasets that `symlinks` facets in force call the same are one node,
                under the name that carries the facet.
        """
        jobs = {
            JobId(*key): read_facets(JobFacets, _some(record, "lineage"), "")[0]
            for key, record in self._jobs.items()
        }
        datasets = {
            DatasetId(*key): read_facets(
                DatasetFacets, _some(record, "columnLineage", "lineage", "symlinks"), ""
            )[0]
            for key, record in self._datasets.items()
        }
        builder = LineageBuilder()
        if join_symlinks:
            builder.names = primary_names(
                (dataset, facets.symlinks) for dataset, facets in datasets.items() if facets.symlinks
            )
        for job_key, job_record in self._jobs.items():
            job = JobId(*job_key)
            for (role, stated_by, *key), span in job_record.uses.items():
                dataset = DatasetId(*key)
                if role == "input":
                    builder.add(dataset, job, stated_by, span)
                else:
                    builder.add(job, dataset, stated_by, span)
            if stated := jobs[job].lineage:
                statement = job_record.facets["lineage"]
                builder.add_job_lineage(job, stated, statement.span_of(statement.latest().value))
        for dataset, facets in datasets.items():
            if facets.column_lineage:
                builder.add_column_lineage(dataset, facets.column_lineage)
            if facets.lineage:
                history = self._datasets[dataset.namespace, dataset.name].facets["lineage"]
                said = history.latest()
                job_said = self._runs[said.source].job if said.source else None
                builder.add_dataset_lineage(
                    dataset,
                    facets.lineage,
                    JobId(*job_said[1]) if job_said else None,
                    history.span_of(said.value),
                )
        return builder.lineage()

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as plain JSON types, for `from_dict`."""
        return {"exactHistory": self._exact, **to_plain(self._jobs, self._datasets, self._runs)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> LineageState:
        """Return the state that `to_dict` wrote.

        Raises:
            ValueError: The dict is of another version of this format, or none of it.
        """
        state = cls(exact_history=plain.get("exactHistory") is True)
        state._jobs, state._datasets, state._runs = records_of(plain, every=state._exact)
        return state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineageState):
            return NotImplemented
        return (self._exact, self._jobs, self._datasets, self._runs) == (
            other._exact,
            other._jobs,
            other._datasets,
            other._runs,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"LineageState({len(self._jobs)} jobs, {len(self._datasets)} datasets, {len(self._runs)} runs)"


def _latest(facets: Facets) -> dict[str, str]:
    return {key: value for key, (_, value) in facets.items()}


def _some(record: DatasetRecord, *keys: str) -> dict[str, str]:
    return {key: record.facets[key].latest().value for key in keys if key in record.facets}


def _seen(record: DatasetRecord) -> tuple[Moment, Moment]:
    assert record.seen is not None
    return record.seen


def _not_yet(record: DatasetRecord, moment: Moment | None) -> bool:
    return moment is not None and _seen(record)[0] > moment
