"""The records of a fold: jobs, datasets, runs and facets of events, as rows that merge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pyspark.sql.types import BooleanType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import Batches, arrow_schema, record_batch, texts

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
