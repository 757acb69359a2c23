"""Events out of files and tables, each judged where it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike, fspath
from typing import Any, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

from openlineage_facets.spark.events.arrow import Batches, arrow_schema, map_batches, record_batch
from openlineage_facets.spark.events.columns import (
    ARROW_COLUMNS,
    EVENT_COLUMNS,
    assert_text_column,
    columns_of,
)
from openlineage_facets.spark.events.lines import lines_of

__all__ = ["Paths", "paths_of", "read_events", "validate_events"]

Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One path or several."""

_ROWS_AT_ONCE = 500

_LINE_COLUMNS = StructType(
    [
        StructField("file", StringType()),
        StructField("line_number", LongType()),
        StructField("line", StringType()),
        StructField("line_bytes", BinaryType()),
    ]
)
_EVENT_LINES = StructType([*_LINE_COLUMNS.fields, *EVENT_COLUMNS.fields])
_ARROW_EVENT_LINES = arrow_schema(_EVENT_LINES)


def read_events(
    spark: SparkSession,
    paths: Paths,
    *,
    line_numbers: bool = False,
) -> DataFrame:
    """Read files of events, a JSON object a line, and judge each line.

    Every line is a row, whatever is in it: what is wrong stands in `findings`, and no line fails the job.
    `docs/archives.md` has the columns.

    Args:
        spark: The session.
        paths: Files, folders with all that is below them, or globs; compressed files by their names (`.gz`,
            `.bz2`, `.zst`, ...). Names that begin with `_` or `.` are passed over, as everywhere in Spark.
        line_numbers: Whether to number the lines of large uncompressed files, which Spark reads in several
            pieces, too. It takes another pass over the text; without it, `line_number` is null in all but
            the first piece.

    Raises:
        FileNotFoundError: A path leads to nothing but files that Spark passes over.
        AnalysisException: There is no such path.

    Example:
        >>> events = read_events(spark, "s3a://lake/lineage/2026/")
        >>> events.where("not valid").select("file", "line_number", "findings.message").show()
    """
    return map_batches(lines_of(spark, paths_of(paths), count_lines=line_numbers), _read, _EVENT_LINES)


def paths_of(paths: Paths) -> list[str]:
    """Return one path or several as a list of texts."""
    return [fspath(path) for path in ([paths] if isinstance(paths, (str, PathLike)) else paths)]


def validate_events(frame: DataFrame, column: str) -> DataFrame:
    """Judge the events in a column of a table, such as a topic's or a Delta table's.

    All columns stay as they are, those that tell of the event come behind them.

    Args:
        frame: The table; it may be a stream.
        column: The text or binary column that holds an event in each row. Null, as blank text, is none.

    Raises:
        ValueError: There is no such column of text or bytes, or a column has a name that is wanted here.

    Example:
        >>> records = spark.readStream.format("kafka").option("subscribe", "lineage").load()
        >>> events = validate_events(records, "value")
    """
    assert_text_column(frame, column)
    names = {name.lower() for name in frame.columns}  # Spark tells no column from another by its capitals.
    taken = [name for name in EVENT_COLUMNS.names if name in names]
    if taken:
        raise ValueError(f"the columns {taken} are those this function adds; rename them first")
    place = frame.columns.index(column)

    def check(batches: Batches) -> Batches:
        for batch in _small(batches):
            told = record_batch(ARROW_COLUMNS, columns_of(batch.column(place).to_pylist()))
            fields = [*batch.schema, *ARROW_COLUMNS]
            yield pa.RecordBatch.from_arrays([*batch.columns, *told.columns], schema=pa.schema(fields))

    return map_batches(frame, check, StructType([*frame.schema.fields, *EVENT_COLUMNS.fields]))


def _small(batches: Batches) -> Batches:
    """Cut batches, so that what comes out of each is small."""
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS_AT_ONCE):
            yield batch.slice(start, _ROWS_AT_ONCE)


def _read(batches: Batches) -> Batches:
    numbers = _Numbering()
    for batch in _small(batches):
        file, start, before, lines = (column.to_pylist() for column in batch.columns)
        texts, exact = zip(*map(_text, lines), strict=True)
        told = columns_of(lines)
        yield record_batch(
            _ARROW_EVENT_LINES,
            [file, list(numbers.of(zip(file, start, before, strict=True))), list(texts), list(exact), *told],
        )


def _text(line: bytes) -> tuple[str, bytes | None]:
    """Return a line as text, and as bytes where the text does not say it all."""
    try:
        return line.decode(), None
    except UnicodeDecodeError:
        return line.decode(errors="replace"), line


class _Numbering:
    """Numbers lines that come piece by piece of their files, in order within a piece."""

    def __init__(self) -> None:
        self._piece: tuple[Any, ...] | None = None
        self._lines = 0

    def of(self, places: Iterator[tuple[str, int, int | None]]) -> Iterator[int | None]:
        for place in places:
            if place != self._piece:
                self._piece, self._lines = place, 0
            self._lines += 1
            before = place[2]
            yield None if before is None else before + self._lines
