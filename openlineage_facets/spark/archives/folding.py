"""Fold parts of the events into records, and merge the records with one shuffle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial, reduce
from itertools import groupby
from typing import Any

from pyspark.sql import DataFrame

from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.spark.archives.arrow_functions import Batches, column_named, map_batches
from openlineage_facets.spark.archives.record import (
    FACET,
    IDENTITY,
    RECORDS_SCHEMA,
    SUBJECT,
    FoldedRun,
    Record,
    ReportedFacet,
    digest_of,
    moment_of,
    record_batches,
    rows_of,
    uses_from_json,
    uses_to_json,
)
from openlineage_facets.state.event_parts import split_event
from openlineage_facets.state.facet_history import FacetHistory, SortKey
from openlineage_facets.state.instants import Span
from openlineage_facets.state.records import JobRecord, Records

_EVENTS_AT_ONCE = 10_000
_BYTES_AT_ONCE = 64 << 20


class PartialFold:
    """Folds events, and returns their records when there are enough."""

    def __init__(self) -> None:
        self._records = Records()
        self._events = self._bytes = 0

    def add(self, event: dict[str, Any], size: int, *, null_is_absent: bool = False) -> None:
        """Add an event. One that LineageState rejects is ignored.

        Args:
            event: The event's JSON object.
            size: The size of its text.
            null_is_absent: Read fields that are null as absent.
        """
        try:
            parts = split_event(event, null_is_absent=null_is_absent)
        except EventError:
            return
        self._records.add(parts, exact=False)
        self._events += 1
        self._bytes += size

    def is_full(self) -> bool:
        """Return whether the records should be taken, because they need much memory."""
        return self._events >= _EVENTS_AT_ONCE or self._bytes >= _BYTES_AT_ONCE

    def take(self) -> Iterator[Record]:
        """Yield the records and forget the events."""
        records, self._records = self._records, Records()
        self._events = self._bytes = 0
        return _rows(records)


def _rows(records: Records) -> Iterator[Record]:
    runs = {run: FoldedRun(record) for run, record in records.runs.items()}
    for key, job in records.jobs.items():
        first, last = _moments(job.seen)
        yield Record("job", *key, first=first, last=last, content=uses_to_json(job.uses))
        yield from _facets("job", key, job.facets, runs)
    for key, dataset in records.datasets.items():
        first, last = _moments(dataset.seen)
        yield Record("dataset", *key, first=first, last=last)
        yield from _facets("dataset", key, dataset.facets, runs)
    for run_id, run in runs.items():
        yield Record("run", "", run_id, content=run.to_json())


def _moments(span: Span | None) -> tuple[str, str]:
    assert span is not None
    return moment_of(*span[0]), moment_of(*span[1])


def _facets(
    entity: str, name: tuple[str, str], histories: dict[str, FacetHistory], runs: dict[str, FoldedRun]
) -> Iterator[Record]:
    """Yield each facet of a job or dataset, and add it to the runs that reported it."""
    for key, history in histories.items():
        spans: dict[str, list[tuple[str, SortKey, SortKey]]] = {}
        for source, value, first, last in history.spans():
            spans.setdefault(value, []).append((source, first, last))
        for value, of_value in spans.items():
            facet = ReportedFacet(entity, *name, key, digest_of(value))
            without_run: tuple[str | None, str | None] = None, None
            for source, first, last in of_value:
                moments = moment_of(*first), moment_of(*last)
                if source:
                    runs[source].reported[facet] = moments
                else:
                    without_run = moments
            earliest = min(first for _, first, _ in of_value)
            latest, by = max((last, source) for source, _, last in of_value)
            seen = moment_of(*earliest), moment_of(*latest)
            yield Record(entity + FACET, *name, key, value, *seen, by, *without_run)


def event_records(events: DataFrame, column: str, *, null_is_absent: bool = False) -> DataFrame:
    """Return the records of events, one or several for each identity."""
    fold = partial(_fold, null_is_absent=null_is_absent)
    return map_batches(events.select(column_named(events, column)), fold, RECORDS_SCHEMA)


def _fold(batches: Batches, *, null_is_absent: bool) -> Batches:
    folded = PartialFold()
    for batch in batches:
        for text in filter(None, batch.column(0).to_pylist()):
            line: bytes = text if isinstance(text, bytes) else text.encode()
            value = json_value(line)
            if isinstance(value, dict):
                folded.add(value, len(line), null_is_absent=null_is_absent)
            if folded.is_full():
                yield from record_batches(folded.take())
    yield from record_batches(folded.take())


def merged_records(records: DataFrame) -> DataFrame:
    """Return one record for each identity, and mark those of current facets."""
    in_order = records.repartition(*SUBJECT).sortWithinPartitions(*IDENTITY)
    return map_batches(in_order.select(*RECORDS_SCHEMA.names), _merge, RECORDS_SCHEMA)


def _merge(batches: Batches) -> Batches:
    yield from record_batches(merged_in_order(rows_of(batches)))


def merged_in_any_order(records: Iterable[Record]) -> list[Record]:
    """Merge records in memory."""
    return list(merged_in_order(sorted(records, key=lambda record: record[: len(IDENTITY)])))


def merged_in_order(records: Iterable[Record]) -> Iterator[Record]:
    """Merge records in order of `IDENTITY`, with a few of them in memory at a time."""
    for _, of_subject in groupby(records, lambda record: record[: len(SUBJECT)]):
        latest: Record | None = None
        for _, same in groupby(of_subject, lambda record: record.value):
            merged = _merged(list(same))
            if latest is None:
                latest = merged
                continue
            replaced, latest = sorted((latest, merged), key=_recency)
            yield replaced._replace(current=False)
        if latest is not None:
            yield latest._replace(current=True)


def _recency(record: Record) -> tuple[str, str, str]:
    """Order facets as `FacetVersion` does."""
    return record.last or "", record.value, record.source


def _merged(same: list[Record]) -> Record:
    if len(same) == 1:
        return same[0]
    kind = same[0].kind
    if kind == "run":
        run = FoldedRun.from_json(same[0].content or "")
        for other in same[1:]:
            run.merge(FoldedRun.from_json(other.content or ""))
        return same[0]._replace(content=run.to_json())
    merged = reduce(_merged_facets, same)
    if kind == "job":
        job = JobRecord()
        for record in same:
            job.merge(JobRecord(uses=uses_from_json(record.content or "")), exact=False)
        merged = merged._replace(content=uses_to_json(job.uses))
    return merged


def _merged_facets(one: Record, other: Record) -> Record:
    """Return two records of the same facet, job or dataset as one, without the content."""
    last, source = max((one.last or "", one.source), (other.last or "", other.source))
    return one._replace(
        first=_first(one.first, other.first),
        last=last,
        source=source,
        first_without_run=_first(one.first_without_run, other.first_without_run),
        last_without_run=_last(one.last_without_run, other.last_without_run),
    )


def _first(*moments: str | None) -> str | None:
    return min(filter(None, moments), default=None)


def _last(*moments: str | None) -> str | None:
    return max(filter(None, moments), default=None)
