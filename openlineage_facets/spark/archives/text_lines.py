"""Read the lines of plain and compressed files as bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as sql
from pyspark.sql.types import BinaryType, LongType, StringType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import Batches, arrow_schema, map_batches, record_batch

__all__ = ["PIECE", "lines_of"]

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

_BYTES_AT_ONCE = 1 << 20
_BATCH_BYTES = 8 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def lines_of(spark: SparkSession, paths: Sequence[str], *, count_lines: bool) -> DataFrame:
    r"""Return a row for each line, with the columns of `PIECE` and its bytes in `line`.

    Lines end with `\n`. A preceding `\r` is kept: JSON allows it as whitespace.

    Args:
        spark: The session.
        paths: Files, folders (recursively) or globs. Compressed files are recognised by their extension:
            those of Spark and `.zst`.
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
    if _reads_zstandard(spark):
        return _text_lines(text, count_lines=count_lines)
    # Spark applies conditions on the file name before it opens files.
    packed = sql.col("_metadata.file_name").endswith(".zst")
    return _text_lines(text.where(~packed), count_lines=count_lines).unionByName(
        _zstandard_lines(spark, paths)
    )


def _reads_zstandard(spark: SparkSession) -> bool:
    """Return whether Spark's text source reads `.zst` files: since 4.1."""
    major, minor = spark.version.split(".")[:2]
    return (int(major), int(minor)) >= (4, 1)


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


def _zstandard_lines(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", True)
    files = reader.option("pathGlobFilter", "*.zst").load(list(paths))
    damaged = spark.conf.get("spark.sql.files.ignoreCorruptFiles", "false") == "true"
    packed = files.select(sql.col("_metadata.file_path").alias("file"), "content")

    def unpack(batches: Batches) -> Batches:
        for batch in batches:
            for file, content in zip(batch.column(0), batch.column(1), strict=True):
                yield from _unpacked(file.as_py(), content.as_buffer(), ignore_damage=damaged)

    return map_batches(packed, unpack, _SCHEMA)


def _unpacked(file: str, content: pa.Buffer, *, ignore_damage: bool) -> Batches:
    lines: list[bytes] = []
    size = 0
    for line in _split(_decompressed(file, content, ignore_damage=ignore_damage)):
        lines.append(line)
        size += len(line)
        if size > _BATCH_BYTES:
            yield _batch(file, lines)
            lines, size = [], 0
    if lines:
        yield _batch(file, lines)


def _batch(file: str, lines: list[bytes]) -> pa.RecordBatch:
    zeros = [0] * len(lines)
    return record_batch(_ARROW, [[file] * len(lines), zeros, zeros, lines])


def _decompressed(file: str, content: pa.Buffer, *, ignore_damage: bool) -> Iterator[bytes]:
    stream = pa.CompressedInputStream(pa.BufferReader(content), "zstd")
    try:
        while chunk := stream.read(_BYTES_AT_ONCE):
            yield chunk
    except OSError as error:
        if not ignore_damage:
            raise OSError(f"{file}: cannot be decompressed: {error}") from error


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    rest: list[bytes] = []
    first = True
    for chunk in chunks:
        *ended, last = chunk.split(b"\n")
        for part in ended:
            line = b"".join((*rest, part))
            yield line.removeprefix(_BYTE_ORDER_MARK) if first else line
            rest, first = [], False
        rest.append(last)
    line = b"".join(rest)
    if line:
        yield line.removeprefix(_BYTE_ORDER_MARK) if first else line
