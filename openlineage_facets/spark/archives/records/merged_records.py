"""Merge the records of a fold: one shuffle, then one pass over the records in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import groupby

from pyspark.sql import DataFrame

from openlineage_facets.spark.archives.arrow_functions import Batches, map_batches
from openlineage_facets.spark.archives.records.record import (
    IDENTITY,
    RECORDS_SCHEMA,
    SUBJECT,
    Record,
    record_batches,
    rows_of,
)
from openlineage_facets.spark.archives.records.record_content import FoldedRun, uses_from_json, uses_to_json
from openlineage_facets.state.records import JobRecord


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
