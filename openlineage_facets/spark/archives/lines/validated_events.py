"""Read and validate events in files and tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from os import PathLike, fspath
from typing import TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    small_batches,
)
from openlineage_facets.spark.archives.lines.event_columns import (
    ARROW_COLUMNS,
    EVENT_COLUMNS,
    assert_text_column,
    columns_of,
)
from openlineage_facets.spark.archives.lines.text_lines import LineNumbers, lines_of

Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One or several paths."""

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
    null_is_absent: bool = False,
) -> DataFrame:
    """Read files with one event per line and validate each line.

    Returns one row per line, valid or not; errors are in `findings`. `docs/archives.md` lists the columns.

    Args:
        spark: The session.
        paths: Files, folders (recursively) or globs. Compressed files are recognised by their extension
            (`.gz`, `.bz2`, `.zst`, ...). As everywhere in Spark, names that begin with `_` or `.` are
            ignored.
        line_numbers: Number all lines of large uncompressed files, which Spark reads in several pieces, with
            another pass over the text. By default, `line_number` is null in all pieces but the first.
        null_is_absent: Read fields that are null as absent, in objects of any depth. For exports of backends
            that write null for absent fields, such as Marquez. Lines are returned unchanged.

    Raises:
        FileNotFoundError: A path only has files that Spark ignores.
        AnalysisException: A path does not exist.

    Example:
        >>> events = read_events(spark, "s3a://lake/lineage/2026/")
        >>> events.where("not valid").select("file", "line_number", "findings.message").show()
    """
    lines = lines_of(spark, paths_of(paths), count_lines=line_numbers)
    return map_batches(lines, partial(_read, null_is_absent=null_is_absent), _EVENT_LINES)


def paths_of(paths: Paths) -> list[str]:
    """Return one or several paths as a list of strings."""
    return [fspath(path) for path in ([paths] if isinstance(paths, (str, PathLike)) else paths)]


def validate_events(frame: DataFrame, column: str, *, null_is_absent: bool = False) -> DataFrame:
    """Validate the events in a column of a table, such as a Kafka topic or a Delta table.

    The columns of validated events are added after the existing columns.

    Args:
        frame: The table. It may be a stream.
        column: The string or binary column with one event per row. Null and blank text are ignored.
        null_is_absent: Read fields that are null as absent, as for `read_events`.

    Raises:
        ValueError: The string or binary column does not exist, or the table has a column with an added name.

    Example:
        >>> records = spark.readStream.format("kafka").option("subscribe", "lineage").load()
        >>> events = validate_events(records, "value")
    """
    assert_text_column(frame, column)
    names = {name.lower() for name in frame.columns}  # Spark column names are case-insensitive.
    taken = [name for name in EVENT_COLUMNS.names if name in names]
    if taken:
        raise ValueError(f"the table already has the added columns {taken}; rename them first")
    index = frame.columns.index(column)

    def check(batches: Batches) -> Batches:
        for batch in small_batches(batches):
            texts = batch.column(index).to_pylist()
            added = record_batch(ARROW_COLUMNS, columns_of(texts, null_is_absent=null_is_absent))
            fields = [*batch.schema, *ARROW_COLUMNS]
            yield pa.RecordBatch.from_arrays([*batch.columns, *added.columns], schema=pa.schema(fields))

    return map_batches(frame, check, StructType([*frame.schema.fields, *EVENT_COLUMNS.fields]))


def _read(batches: Batches, *, null_is_absent: bool) -> Batches:
    numbers = LineNumbers()
    for batch in small_batches(batches):
        file, lines = (batch.column(name).to_pylist() for name in ("file", "line"))
        texts, exact = zip(*map(_text, lines), strict=True)
        event_columns = columns_of(lines, null_is_absent=null_is_absent)
        yield record_batch(
            _ARROW_EVENT_LINES,
            [
                file,
                list(numbers.of(batch)),
                list(texts),
                list(exact),
                *event_columns,
            ],
        )


def _text(line: bytes) -> tuple[str, bytes | None]:
    """Return a line as text, and its bytes if it is not valid UTF-8."""
    try:
        return line.decode(), None
    except UnicodeDecodeError:
        return line.decode(errors="replace"), line
