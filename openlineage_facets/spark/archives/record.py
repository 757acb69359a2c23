"""The records of a fold: rows that merge in any order, and the content of runs and jobs as JSON."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyarrow import ipc  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import BooleanType, StructField, StructType

from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.state.facet_history import SortKey
from openlineage_facets.state.instants import Span, utc_text
from openlineage_facets.state.records import RunRecord, Use
from openlineage_facets.state.serialization import PlainTimes, run_from_plain, run_to_plain

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


_BUCKETS = 16
"""Records that may merge are in the same bucket, so that a bucket can be merged without the others."""


class PackedRecords(NamedTuple):
    """Records of one bucket."""

    text: str
    """A hexadecimal digit, the bucket, and an Arrow stream in Base64."""
    size: int
    """Bytes of the records in memory."""


def packed_records(records: Iterable[Record]) -> Iterator[PackedRecords]:
    """Yield records as texts of limited size, one or several for each bucket."""
    buckets: list[list[Record]] = [[] for _ in range(_BUCKETS)]
    for record in records:
        subject = repr(record[: len(SUBJECT)])
        buckets[crc32(subject.encode()) % _BUCKETS].append(record)
    for number, bucket in enumerate(buckets):
        for batch in record_batches(bucket):
            yield PackedRecords(f"{number:x}{b64encode(_stream(batch)).decode()}", batch.nbytes)


def _stream(batch: pa.RecordBatch) -> pa.Buffer:
    written = pa.BufferOutputStream()
    # Arrow may be built without codecs.
    options = ipc.IpcWriteOptions(compression="zstd" if pa.Codec.is_available("zstd") else None)
    with ipc.new_stream(written, batch.schema, options=options) as stream:
        stream.write_batch(batch)
    return written.getvalue()


def _batches_in(text: str) -> Batches:
    yield from ipc.open_stream(b64decode(text[1:]))


def records_in_text(text: str) -> Iterator[Record]:
    """Yield the records in a text of `packed_records`."""
    return rows_of(_batches_in(text))


def unpacked_records(packed: DataFrame) -> DataFrame:
    """Return a row for each record.

    Args:
        packed: A table with the texts of `packed_records` in its column `value`.
    """
    return map_batches(packed.select("value"), _unpack, RECORDS_SCHEMA)


def _unpack(batches: Batches) -> Batches:
    for batch in batches:
        for text in batch.column(0).to_pylist():
            yield from _batches_in(text)


def in_buckets(packed: DataFrame) -> DataFrame:
    """Return texts of `packed_records`, those of a bucket one after the other in the same partition."""
    bucket = sql.substring("value", 1, 1)
    return packed.select("value").repartition(bucket).sortWithinPartitions(bucket)


def buckets_in(batches: Batches) -> Iterator[list[Record]]:
    """Yield the records of each bucket in a partition of `in_buckets`."""
    texts = (text for batch in batches for text in batch.column(0).to_pylist())
    for _, of_bucket in groupby(texts, lambda text: text[0]):
        yield [record for text in of_bucket for record in records_in_text(text)]


DIGEST_DIGITS = 32
"""Number of hexadecimal digits of SHA-256 that identify a facet among those of its entity."""

_encode = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def digest_of(facet: str) -> str:
    """Return what stands for a facet in the runs that reported it."""
    return sha256(facet.encode()).hexdigest()[:DIGEST_DIGITS]


class ReportedFacet(NamedTuple):
    """A facet of a job or dataset that a run reported."""

    entity: str
    """"job" or "dataset"."""
    namespace: str
    name: str
    key: str
    digest: str


Moments: TypeAlias = tuple[str, str]
"""The first and the last sort key, as text."""


@dataclass(slots=True)
class FoldedRun:
    """A run as `LineageState` stores it, and its part in the histories of jobs and datasets.

    Histories grow with the number of runs. Since they are stored with the runs, the history of a dataset in
    every event is spread over all partitions.
    """

    record: RunRecord
    reported: dict[ReportedFacet, Moments] = field(default_factory=dict)

    def merge(self, other: FoldedRun) -> None:
        """Add everything in `other`."""
        self.record.merge(other.record)
        for facet, moments in other.reported.items():
            first, last = self.reported.get(facet, moments)
            self.reported[facet] = min(first, moments[0]), max(last, moments[1])

    def to_json(self) -> str:
        """Return the run as JSON. Equal runs return equal texts."""
        record = self.record
        assert record.job is not None
        facets: dict[tuple[str, str, str], list[list[str]]] = {}
        for facet, moments in sorted(self.reported.items()):
            facets.setdefault(facet[:3], []).append([*facet[3:], *moments])
        return _encode(
            {
                "job": [*record.job[1], moment_of(*record.job[0])],
                "types": {name: moment_of(*instant) for name, instant in record.first_of_type.items()},
                **run_to_plain(record, _MOMENTS),
                "reported": [[*entity, versions] for entity, versions in facets.items()],
            }
        )

    @classmethod
    def from_json(cls, text: str) -> FoldedRun:
        """Return the run written by `to_json`."""
        plain = json.loads(text)
        return cls(_record(plain), dict(_reported(plain["reported"])))


@lru_cache(maxsize=1)
def run_record(text: str) -> RunRecord:
    """Return a run written by `FoldedRun.to_json`, without its part in histories.

    Do not change it: it is returned again for the next table.
    """
    return _record(json.loads(text))


def _record(plain: dict[str, Any]) -> RunRecord:
    namespace, name, moment = plain["job"]
    record = run_from_plain(plain, _MOMENTS)
    record.job = sort_key_at(moment), (namespace, name)
    record.first_of_type = {kind: instant_at(at) for kind, at in plain["types"].items()}
    return record


_MOMENTS = PlainTimes(moment_of, instant_at, sort_key_at)


def _reported(plain: list[Any]) -> Iterator[tuple[ReportedFacet, Moments]]:
    for entity, namespace, name, versions in plain:
        for key, digest, first, last in versions:
            yield ReportedFacet(entity, namespace, name, key, digest), (first, last)


def uses_to_json(uses: Mapping[Use, Span]) -> str:
    """Return the uses as JSON. Equal uses return equal texts."""
    return _encode([[*use, *(moment_of(*instant) for instant in span)] for use, span in sorted(uses.items())])


def uses_from_json(text: str) -> dict[Use, Span]:
    """Return the uses written by `uses_to_json`."""
    return {tuple(use): (instant_at(first), instant_at(last)) for *use, first, last in json.loads(text)}
