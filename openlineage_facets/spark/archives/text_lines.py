"""Read the lines of plain and compressed files as bytes, and know where they come from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import IO, Any, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as sql
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

from openlineage_facets.event_files.chunks import bounded_lines
from openlineage_facets.event_files.file_opening import DamagedFile, decompressed
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    is_spark_4_1,
    map_batches,
    record_batch,
)

PIECE = ("file", "piece_start", "lines_before")
"""The columns with the location of a line: file, first byte of its file piece, and number of lines in earlier
pieces (null if not counted). The lines of a piece are in order."""

_SCHEMA = StructType(
    [
        StructField("file", StringType()),
        StructField("piece_start", LongType()),
        StructField("lines_before", LongType()),
        StructField("line", BinaryType()),
    ]
)
_ARROW = arrow_schema(_SCHEMA)

_IGNORED = re.compile(r"(^|/)(_|\.(?!\.?/*$))[^/]*/*$|\._COPYING_$")
"""Paths of files that Spark silently ignores."""

_PACKED_BYTES = 128 << 20
"""Size of the largest compressed file that is decompressed here, since its content is kept in memory."""

_HEAD_BYTES = 4
"""Bytes that identify the compression."""

_BATCH_BYTES = 8 << 20
_BYTES_OF_ROW = 64


def lines_of(spark: SparkSession, paths: Sequence[str], *, count_lines: bool) -> DataFrame:
    r"""Return a row for each line, with the columns of `PIECE` and its bytes in `line`.

    Lines end with `\n`. A preceding `\r` is kept: JSON allows it as whitespace.

    Args:
        spark: The session.
        paths: Files, folders (recursively) or globs. Compressed files are recognised by their extension:
            those of Spark and `.zst`. Of a line longer than `MAX_BYTES`, `.gz` and `.zst` files only have
            the beginning.
        count_lines: Count the lines of files that Spark reads in several pieces, with another pass over the
            text.

    Raises:
        FileNotFoundError: A path only has files that Spark ignores.
    """
    text = spark.read.option("lineSep", "\n").option("recursiveFileLookup", True).text(list(paths))
    for path in filter(_IGNORED.search, paths):
        if not spark.read.option("recursiveFileLookup", True).text(path).inputFiles():
            raise FileNotFoundError(
                f"{path}: no files to read; Spark ignores names that begin with _ or . "
                "or end with ._COPYING_: rename them"
            )
    # Spark applies conditions on file metadata before it opens files.
    name, size = sql.col("_metadata.file_name"), sql.col("_metadata.file_size")
    packed = name.endswith(".zst") | name.endswith(".gz")
    if is_spark_4_1(spark):  # The text source also reads `.zst` files.
        packed &= size <= _PACKED_BYTES
    else:
        packed = name.endswith(".zst") | (packed & (size <= _PACKED_BYTES))
    return _text_lines(text.where(~packed), count_lines=count_lines).unionByName(
        _decompressed_lines(spark, paths, packed)
    )


def _text_lines(text: DataFrame, *, count_lines: bool) -> DataFrame:
    lines = text.select(
        sql.col("_metadata.file_path").alias("file"),
        sql.col("_metadata.file_block_start").alias("piece_start"),
        # The text source keeps invalid UTF-8; only decoding would change the bytes.
        sql.col("value").cast("binary").alias("line"),
    )
    before: Column = sql.when(sql.col("piece_start") == 0, sql.lit(0).cast("long"))
    if count_lines:
        earlier_pieces = (
            Window.partitionBy("file").orderBy("piece_start").rowsBetween(Window.unboundedPreceding, -1)
        )
        pieces = (
            lines.groupBy("file", "piece_start")
            .agg(sql.count("*").alias("lines"))
            .select(
                "file", "piece_start", sql.sum("lines").over(earlier_pieces).alias("lines_of_pieces_before")
            )
        )
        lines = lines.join(sql.broadcast(pieces), ["file", "piece_start"], "left")
        before = sql.coalesce(sql.col("lines_of_pieces_before"), sql.lit(0).cast("long"))
    return lines.select("file", "piece_start", before.alias("lines_before"), "line")


def _decompressed_lines(spark: SparkSession, paths: Sequence[str], packed: Column) -> DataFrame:
    """Return the lines of small compressed files, with a limit on their length.

    Spark has none: a file of 50 kB with a line of 1.5 GB would end the JVM for lack of memory.
    """
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", True)
    files = reader.option("pathGlobFilter", "*.{gz,zst}").load(list(paths)).where(packed)
    ignore_damage = spark.conf.get("spark.sql.files.ignoreCorruptFiles", "false") == "true"
    contents = files.select(sql.col("_metadata.file_path").alias("file"), "content")

    def unpack(batches: Batches) -> Batches:
        for batch in batches:
            for file, content in zip(batch.column(0), batch.column(1), strict=True):
                name, packed_text = file.as_py(), pa.BufferReader(content.as_buffer())
                yield from _unpacked(name, packed_text, ignore_damage=ignore_damage)

    return map_batches(contents, unpack, _SCHEMA)


def _unpacked(file: str, content: IO[bytes], *, ignore_damage: bool) -> Batches:
    lines: list[bytes] = []
    size = 0
    for line in bounded_lines(_text_of(file, content, ignore_damage=ignore_damage)):
        lines.append(line)
        size += len(line) + _BYTES_OF_ROW
        if size > _BATCH_BYTES:
            yield _batch(file, lines)
            lines, size = [], 0
    if lines:
        yield _batch(file, lines)


def _batch(file: str, lines: list[bytes]) -> pa.RecordBatch:
    zeros = [0] * len(lines)
    return record_batch(_ARROW, [[file] * len(lines), zeros, zeros, lines])


def _text_of(file: str, content: IO[bytes], *, ignore_damage: bool) -> Iterator[bytes]:
    try:
        yield from decompressed(content, content.read(_HEAD_BYTES))
    except DamagedFile as damage:
        if not ignore_damage:
            raise OSError(f"{file}: cannot be decompressed: found {damage}") from None


class LineNumbers:
    """Numbers the lines of the pieces of files, which are in order within a piece."""

    def __init__(self) -> None:
        self._piece: tuple[Any, ...] | None = None
        self._lines = 0

    def of(self, batch: Any) -> Sequence[int | None]:
        """Return the line number of each row of a batch with the columns of `PIECE`, None if unknown."""
        columns = [batch.column(name) for name in PIECE]
        count = batch.num_rows
        if count and all(column[0] == column[count - 1] for column in columns):
            # Pieces follow one another, so that all rows belong to this one.
            return self._of_piece(tuple(column[0].as_py() for column in columns), count)
        pieces = zip(*(column.to_pylist() for column in columns), strict=True)
        return [number for piece in pieces for number in self._of_piece(piece, 1)]

    def _of_piece(self, piece: tuple[Any, ...], count: int) -> Sequence[int | None]:
        """Number the next lines of a piece."""
        if piece != self._piece:
            self._piece, self._lines = piece, 0
        before, earlier = piece[2], self._lines
        self._lines += count
        if before is None:
            return [None] * count
        return range(before + earlier + 1, before + self._lines + 1)


Origins: TypeAlias = Callable[[int], dict[str, Any]]
"""Returns the fields of a quarantined line by the number of its row. Called for invalid lines only."""


OriginsOfBatch: TypeAlias = Callable[[Any], Origins]
"""Returns the origins of the rows of the next batch of a task."""


def file_origins() -> OriginsOfBatch:
    """Return files and line numbers, from the columns of `lines_of`."""
    numbers = LineNumbers()
    return lambda batch: partial(_place_in_file, batch.column("file"), numbers.of(batch))


def row_origins() -> OriginsOfBatch:
    """Return the other columns of a table, from the column `origin` with a JSON object."""
    return lambda batch: partial(_columns, batch.column("origin"))


def _place_in_file(files: Any, numbers: Sequence[int | None], row: int) -> dict[str, Any]:
    place: dict[str, Any] = {"file": files[row].as_py()}
    number = numbers[row]
    return place if number is None else {**place, "line_number": number}


def _columns(origins: Any, row: int) -> dict[str, Any]:
    columns: dict[str, Any] = json.loads(origins[row].as_py())
    return columns
