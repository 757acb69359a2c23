"""Validate and fold a stream of events, such as a Kafka topic, and merge the files of finished batches.

Every tenth batch merges the records of the last ten batches with its own, every hundredth those of the last
hundred, and so on. A record is thus rewritten once for each power of ten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from typing import NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql
from pyspark.sql.streaming.query import StreamingQuery

from openlineage_facets.spark.archives.arrow_functions import column_named
from openlineage_facets.spark.archives.event_columns import assert_text_column
from openlineage_facets.spark.archives.file_system import FileSystem, folder_path, without_globs
from openlineage_facets.spark.archives.outcomes import (
    QUARANTINE,
    QUARANTINE_FIELDS,
    RECORDS,
    VALID,
    LineCounts,
    line_outcomes,
    text_in,
    write_outcomes,
)
from openlineage_facets.spark.archives.record import RECORDS_SCHEMA
from openlineage_facets.spark.archives.tables.lineage_tables import tables_of
from openlineage_facets.spark.archives.text_lines import row_origins

MERGED_AT_ONCE = 10
"""How many ranges become one."""

_NAME = re.compile(r"(\d+)-(\d+)")


class BatchRange(NamedTuple):
    """Consecutive batches of a stream."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"

    def is_part_of(self, other: BatchRange) -> bool:
        """Return whether `other` contains all of these batches and more."""
        return self != other and other.first <= self.first and self.last <= other.last


def ranges_of(names: Iterable[str]) -> list[BatchRange]:
    """Return the ranges among the names of folders."""
    matches = map(_NAME.fullmatch, names)
    return sorted(BatchRange(int(match[1]), int(match[2])) for match in matches if match)


def written_by(batch: int) -> BatchRange:
    """Return the range of records that a batch writes, which ends with this batch."""
    size = 1
    while (batch + 1) % (size * MERGED_AT_ONCE) == 0:
        size *= MERGED_AT_ONCE
    return BatchRange(batch + 1 - size, batch)


def to_merge(written: BatchRange, ranges: Iterable[BatchRange]) -> list[BatchRange]:
    """Return the ranges of earlier batches to merge into a range.

    Args:
        written: The range. A failed attempt may have written it before, partly.
        ranges: All ranges.
    """
    earlier = [batches for batches in ranges if batches.last < written.last]
    parts = [batches for batches in earlier if batches.is_part_of(written)]
    return [batches for batches in parts if not any(batches.is_part_of(other) for other in earlier)]


def superseded_before(batch: int, ranges: Iterable[BatchRange]) -> list[BatchRange]:
    """Return the ranges that are not needed any more when a batch begins.

    Those that another range contains, whose batch was committed. They are kept for a few more batches, for
    queries that have begun to read them.
    """
    listed = list(ranges)
    settled = [batches for batches in listed if batches.last + MERGED_AT_ONCE <= batch]
    return [batches for batches in listed if any(batches.is_part_of(other) for other in settled)]


_CHECKPOINT = "checkpoint"


def fold_stream(
    events: DataFrame,
    folder: str | PathLike[str],
    *,
    column: str = "value",
    every: str | None = None,
    available_now: bool = False,
    valid: bool = True,
    null_is_absent: bool = False,
    compression: str = "none",
) -> StreamingQuery:
    r"""Start a query that validates the events of a stream and folds them into a state, each exactly once.

    To continue after a failure, call the function again with the same folder. A batch that was not finished
    is repeated and replaces its own results, so that no line is lost or written twice.

    `folder` contains `valid` and `quarantine`, with a folder for each batch; `records`, the state for
    `LineageTables.load(spark, folder)`; `counts`, a row of counts for each batch; and `checkpoint`, the
    positions in the source.

    Args:
        events: A streaming table with an event in each row. All columns but the event are stored with
            quarantined lines.
        folder: A new folder, or that of an earlier query for the same source.
        column: The string or binary column with the events. Null and blank text are ignored.
        every: The time between the beginnings of two batches, such as "1 minute". By default, each batch
            begins when the last one is finished.
        available_now: Process what is there, in batches as limited by the source, and stop.
        valid: Whether to store valid lines.
        null_is_absent: Read fields that are null as absent, see `read_events`.
        compression: The compression of lines: "none", "gzip", "bzip2" or another codec of Spark's text files.

    Returns:
        The running query. `awaitTermination()` waits for its end and raises its errors.

    Raises:
        ValueError: `events` is not a stream, has no such column, or another one with the name of a field that
            is added to quarantined lines; both `every` and `available_now` were passed; or the session is a
            Spark Connect session.
        FileExistsError: The folder contains files but no checkpoint of an earlier query.

    Example:
        >>> topic = spark.readStream.format("kafka").option("subscribe", "lineage")
        >>> records = topic.option("kafka.bootstrap.servers", "localhost:9092").load()
        >>> fold_stream(records, "s3a://lake/lineage", every="1 minute").awaitTermination()
    """
    assert_text_column(events, column)
    if not events.isStreaming:
        raise ValueError(
            "events: expected a stream, such as spark.readStream.format('kafka'), found a table; "
            "use fold_events or split_archive"
        )
    # Readers of JSON, such as Spark, may compare names without case.
    taken = [name for name in events.columns if name != column and name.lower() in QUARANTINE_FIELDS]
    if taken:
        raise ValueError(
            f"events: expected no columns with the names of fields that are added to quarantined lines, "
            f"found {taken}; rename them first"
        )
    if every is not None and available_now:
        raise ValueError("expected every or available_now, found both; leave one out")
    spark = events.sparkSession
    path = folder_path("folder", folder)
    files = FileSystem(spark)
    names = files.names(path)
    if names and _CHECKPOINT not in names:
        raise FileExistsError(
            f"{path}: already exists, but has no folder '{_CHECKPOINT}' of an earlier query; "
            "restore it or choose another folder"
        )
    files.make(f"{path}/{_CHECKPOINT}")
    files.make(f"{path}/records")
    write = BatchWriter(spark, path, valid=valid, null_is_absent=null_is_absent, compression=compression)
    writer = _lines(events, column).writeStream.foreachBatch(write)
    if available_now:
        writer = writer.trigger(availableNow=True)
    elif every is not None:
        writer = writer.trigger(processingTime=every)
    return writer.option("checkpointLocation", f"{path}/{_CHECKPOINT}").start()


def _lines(events: DataFrame, column: str) -> DataFrame:
    """Return the events as bytes, and all other columns as a JSON object."""
    others = [column_named(events, name) for name in events.columns if name != column]
    origin = sql.to_json(sql.struct(*others)) if others else sql.lit("{}")
    line = sql.coalesce(column_named(events, column).cast("binary"), sql.lit(b""))
    return events.select(line.alias("line"), origin.alias("origin"))


@dataclass(frozen=True)
class BatchWriter:
    """Writes the batches of a stream. Spark calls it again for a batch until it has succeeded.

    Args:
        spark: A session with adaptive query execution, which Spark turns off in streams. It keeps the number
            of files in proportion to the records.
        folder: Folder for everything.
        valid: Whether to write valid lines.
        null_is_absent: Read fields that are null as absent.
        compression: The compression of lines.
    """

    spark: SparkSession
    folder: str
    valid: bool
    null_is_absent: bool
    compression: str

    def __call__(self, lines: DataFrame, batch: int) -> None:
        """Write a batch.

        Args:
            lines: A table with the columns `line` and `origin`.
            batch: The number of the batch. A repeated batch has the same number and lines.
        """
        files = FileSystem(self.spark)
        unfinished = f"{self.folder}/_unfinished"
        files.remove(unfinished)
        kept = (VALID, QUARANTINE) if self.valid else (QUARANTINE,)
        outcomes = line_outcomes(lines, {*kept, RECORDS}, row_origins, null_is_absent=self.null_is_absent)
        written = write_outcomes(outcomes, unfinished, files, self.compression)
        self._write_records(written.records, files, batch)
        for name in kept:
            files.replace(written.folders[name], f"{self.folder}/{name}/batch={batch}")
        self._write_counts(written.counts, files, unfinished, batch)
        files.remove(unfinished)

    def _write_records(self, records: DataFrame, files: FileSystem, batch: int) -> None:
        """Write the records, merged with those of earlier batches where it is their turn."""
        folder = f"{self.folder}/records"
        ranges = ranges_of(files.names(folder))
        for superseded in superseded_before(batch, ranges):
            files.remove(f"{folder}/{superseded}")
        written = written_by(batch)
        paths = [without_globs(f"{folder}/{part}") for part in to_merge(written, ranges)]
        earlier = self.spark.read.schema(RECORDS_SCHEMA).parquet(*paths) if paths else None
        tables_of(records, earlier).records.write.mode("overwrite").parquet(f"{folder}/{written}")

    def _write_counts(self, counts: LineCounts, files: FileSystem, unfinished: str, batch: int) -> None:
        row = {
            "batch": batch,
            "lines": counts.lines,
            "valid": counts.valid,
            "quarantined": counts.quarantined,
            "blank": counts.blank,
            "errors": counts.errors_by_code(),
        }
        files.write(f"{unfinished}/counts.json", json.dumps(row).encode() + b"\n")
        files.replace(f"{unfinished}/counts.json", f"{self.folder}/counts/{batch}.json")


_FILE_BYTES = 128 << 20
"""Size of merged files. A folder of this size is not merged again."""

_BATCH = re.compile(r"batch=(\d+)")


def mergeable(sizes: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the batches to merge: two or more that follow each other and whose folders are small.

    Args:
        sizes: The batches in order, each with the bytes of its folder.
    """
    for is_small, batches in groupby(sizes, lambda batch: batch[1] < _FILE_BYTES):
        neighbours = list(batches)
        if is_small and len(neighbours) > 1:
            yield neighbours


def compact_stream(spark: SparkSession, folder: str | PathLike[str], *, compression: str = "none") -> None:
    """Merge the folders of finished batches in `valid` and `quarantine` into folders with few files.

    The query may be running: it does not repeat finished batches. A merged folder has the number of its last
    batch. Folders of 128 MB or more remain as they are. Call it again after a failure, to complete what it
    has begun; until then, the lines that it was merging may be missing.

    Args:
        spark: The session. Spark Connect is not supported.
        folder: The folder of `fold_stream`. Merge it in one process at a time, and do not read `valid` and
            `quarantine` meanwhile.
        compression: The compression of lines, see `fold_stream`.

    Raises:
        ValueError: The session is a Spark Connect session.
        FileNotFoundError: The folder does not contain the checkpoint of a stream.

    Example:
        >>> compact_stream(spark, "s3a://lake/lineage")
    """
    path = folder_path("folder", folder)
    files = FileSystem(spark)
    if not files.exists(f"{path}/checkpoint"):
        raise FileNotFoundError(f"{path}: expected a folder of fold_stream, found no folder 'checkpoint'")
    finished = max(map(int, filter(str.isdigit, files.names(f"{path}/checkpoint/commits"))), default=-1)
    for name in (VALID, QUARANTINE):
        batches = _Batches(spark, files, f"{path}/{name}", f"{path}/_compacting/{name}")
        batches.replace_merged()
        batches.merge(finished, compression)
        batches.replace_merged()
    files.remove(f"{path}/_compacting")


@dataclass(frozen=True)
class _Batches:
    """The folders of batches with one outcome, and a folder for what is merged."""

    spark: SparkSession
    files: FileSystem
    folder: str
    merging: str

    def merge(self, finished: int, compression: str) -> None:
        """Merge the finished batches between large folders, to folders named `FIRST-LAST`."""
        batches = [batch for batch in self._numbers() if batch <= finished]
        sizes = [(batch, self.files.size(self._path(batch))) for batch in batches]
        for group in mergeable(sizes):
            unfinished = f"{self.merging}/unfinished"
            self.files.remove(unfinished)
            lines = text_in(self.spark, *(self._path(batch) for batch, _ in group))
            few = lines.coalesce(-(-sum(size for _, size in group) // _FILE_BYTES) or 1)
            few.write.option("lineSep", "\n").text(unfinished, compression=compression)
            self.files.move(unfinished, f"{self.merging}/{BatchRange(group[0][0], group[-1][0])}")

    def replace_merged(self) -> None:
        """Replace batches by the folder in which they were merged."""
        for merged in ranges_of(self.files.names(self.merging)):
            for batch in self._numbers():
                if merged.first <= batch <= merged.last:
                    self.files.remove(self._path(batch))
            self.files.move(f"{self.merging}/{merged}", self._path(merged.last))

    def _numbers(self) -> list[int]:
        matches = map(_BATCH.fullmatch, self.files.names(self.folder))
        return sorted(int(match[1]) for match in matches if match)

    def _path(self, batch: int) -> str:
        return f"{self.folder}/batch={batch}"
