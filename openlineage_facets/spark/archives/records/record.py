"""The records of a fold: jobs, datasets, runs and facets, as rows that merge and sort in order of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pyspark.sql.types import BooleanType, StructField, StructType

from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.spark.archives.arrow_functions import Batches, arrow_schema, record_batch, texts
from openlineage_facets.state.facet_history import SortKey
from openlineage_facets.state.instants import utc_text

_SHIFT = 100_000_000_000
"""Added to the seconds since 1970, so that none are negative and all have twelve digits."""
_DIGITS = 12

AFTER_EVERY_RANK = 99
"""A rank that sorts after those of all events."""


@lru_cache(maxsize=4096)
def moment_of(seconds: int, fraction: str, rank: int = 0) -> str:
    """Return an instant, or a sort key with its rank, as text.

    Example:
        >>> moment_of(1_767_225_600, "25", 3)
        '101767225600.25 03'
    """
    # The space sorts before all digits: a shorter fraction is the smaller one.
    return f"{seconds + _SHIFT:0{_DIGITS}}.{fraction} {rank:02}"


@lru_cache(maxsize=4096)
def sort_key_at(moment: str) -> SortKey:
    """Return the sort key in a text of `moment_of`."""
    fraction, _, rank = moment[_DIGITS + 1 :].partition(" ")
    return int(moment[:_DIGITS]) - _SHIFT, fraction, int(rank)


def instant_at(moment: str) -> Instant:
    """Return the instant in a text of `moment_of`."""
    return sort_key_at(moment)[:2]


def time_at(moment: str) -> str:
    """Return the instant in a text of `moment_of` as a date-time in UTC."""
    return time_of(instant_at(moment))


@lru_cache(maxsize=4096)
def time_of(instant: Instant) -> str:
    """Return an instant as a date-time in UTC. The times of a run's facets are mostly those of its events."""
    return utc_text(instant)


FACET = " facet"
"""The end of the kind of a facet's record."""


class Record(NamedTuple):
    """A row with the columns of `RECORDS_SCHEMA`.

    Times are texts of `moment_of`.
    """

    kind: str
    """"job", "dataset", "run", "job facet" or "dataset facet"."""
    namespace: str
    """The namespace of the job or dataset, "" for runs."""
    name: str
    """The name of the job or dataset, or the id of the run."""
    key: str = ""
    """The facet key."""
    value: str = ""
    """The facet in canonical JSON."""
    first: str | None = None
    """The first event with this job, dataset or facet."""
    last: str | None = None
    """The last event with it."""
    source: str = ""
    """The id of the run that reported the facet last, or "" for a job or dataset event."""
    first_without_run: str | None = None
    """The first job or dataset event with this facet."""
    last_without_run: str | None = None
    """The last job or dataset event with this facet."""
    content: str | None = None
    """The rest of a job or run, as JSON."""
    current: bool = True
    """False for a facet that another one has replaced."""


IDENTITY = ("kind", "namespace", "name", "key", "value")
"""The columns by which records merge."""

SUBJECT = IDENTITY[:-1]
"""The columns of a facet and those that it replaces."""

RECORDS_SCHEMA = StructType(
    [*texts(*Record._fields[:-1]).fields, StructField(Record._fields[-1], BooleanType())]
)
"""The columns of `Record`."""

_ARROW = arrow_schema(RECORDS_SCHEMA)

_BYTES_OF_BATCH = 4 << 20


def rows_of(batches: Batches) -> Iterator[Record]:
    """Yield the rows of batches of records."""
    for batch in batches:
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield Record(*row)


def record_batches(records: Iterable[Record]) -> Batches:
    """Return records as batches of limited size."""
    pending: list[Record] = []
    size = 0
    for record in records:
        pending.append(record)
        size += len(record.value) + len(record.content or "") + 200
        if size >= _BYTES_OF_BATCH:
            yield _batch(pending)
            pending, size = [], 0
    if pending:
        yield _batch(pending)


def _batch(records: list[Record]) -> Any:
    return record_batch(_ARROW, [list(column) for column in zip(*records, strict=True)])
