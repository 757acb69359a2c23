"""Merged records as the records of a state, which its graph is built from."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count

from openlineage_facets.spark.archives.records.moments import instant_at, sort_key_at
from openlineage_facets.spark.archives.records.record import FACET, Record
from openlineage_facets.spark.archives.records.record_content import run_record, uses_from_json
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.facet_history import FacetHistory
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
