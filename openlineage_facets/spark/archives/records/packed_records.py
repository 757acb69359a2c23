"""Records as compressed text: few rows for Spark, which reads, shuffles and writes each row at a cost.

Records repeat names, times and facets: compressed, they take about a tenth of their size, even as Base64.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple
from zlib import crc32

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyarrow import ipc  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.arrow_functions import Batches, map_batches
from openlineage_facets.spark.archives.records.record import (
    RECORDS_SCHEMA,
    SUBJECT,
    Record,
    record_batches,
    rows_of,
)

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
