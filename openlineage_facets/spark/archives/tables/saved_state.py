"""Save records as the tables of a state, in a way that depends on their size.

The driver computes and writes small tables. The tasks of one job compute medium ones, which the driver
writes. Spark writes large ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias
from urllib.parse import unquote
from uuid import uuid4

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as parquet  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import Batches, arrow_schema, map_batches, record_batch
from openlineage_facets.spark.archives.file_system import FileSystem, without_globs
from openlineage_facets.spark.archives.folding import merged_in_any_order, merged_records
from openlineage_facets.spark.archives.record import (
    RECORDS_SCHEMA,
    Record,
    buckets_in,
    in_buckets,
    records_in_text,
    rows_of,
    unpacked_records,
)
from openlineage_facets.spark.archives.tables.edges import (
    COLUMN_EDGES_SCHEMA,
    EDGES_SCHEMA,
    column_edges_of,
    edge_records,
    edge_tables,
    edges_of,
    runs_in_facets,
)
from openlineage_facets.spark.archives.tables.entity_tables import ENTITY_TABLES, TableRow
from openlineage_facets.spark.jvm import has_jvm

TableFile: TypeAlias = tuple[str, bytes]
"""The name of a table, and a Parquet file with rows of it."""

Parts: TypeAlias = Callable[[Batches], Iterator[list[Record]]]
"""Returns the merged records of a partition in several parts. Runs in the executors."""

_RETURNED = StructType([StructField("table", StringType()), StructField("content", BinaryType())])
_ARROW = arrow_schema(_RETURNED)

_OF_EDGES = ""
"""Instead of the name of a table, for a record from which the driver computes edges."""

_RECORDS_AT_ONCE = 20_000


def files_of_records(records: Iterable[Record]) -> Iterator[TableFile]:
    """Yield a file for each table, computed in the driver.

    Args:
        records: The records of a fold, in any order, not merged.
    """
    merged = merged_in_any_order(records)
    yield _records_file(merged)
    yield from _entity_files(merged)
    edges = edge_records(merged)
    names = runs_in_facets(edges)
    yield from _edge_files([*edges, *(run for run in merged if run.kind == "run" and run.name in names)])


def files_of_packed_records(packed: DataFrame) -> Iterator[TableFile]:
    """Yield one or several files for each table. The driver has all of them in memory.

    Args:
        packed: A table with the texts of `packed_records`, not merged, in its column `value`. It has records.
    """
    yield from _collected(in_buckets(packed), _merged_buckets, unpacked_records(packed), with_records=True)


def files_of_merged_records(records: DataFrame) -> Iterator[TableFile]:
    """Yield one or several files for each table except `records`. The driver has all of them in memory."""
    yield from _collected(records.select(*Record._fields), _parts, records, with_records=False)


def _collected(
    frame: DataFrame, parts: Parts, records: DataFrame, *, with_records: bool
) -> Iterator[TableFile]:
    """Yield the files that tasks return, and those of edges.

    Args:
        frame: What `parts` reads.
        parts: Returns the records of a partition.
        records: All records.
        with_records: Whether tasks return files of the table `records`, too.
    """
    edges: list[Record] = []
    has_files = False
    returned = map_batches(frame, partial(_returned, parts=parts, with_records=with_records), _RETURNED)
    for row in returned.collect():
        if row.table == _OF_EDGES:
            edges.append(Record(*json.loads(bytes(row.content))))
        else:
            has_files = True
            yield row.table, bytes(row.content)
    if not has_files:
        yield from _entity_files([])
    yield from _edge_files([*edges, *_runs_of(edges, records)])


def _returned(batches: Batches, *, parts: Parts, with_records: bool) -> Batches:
    for records in parts(batches):
        files = [_records_file(records)] if with_records else []
        for name, content in [*files, *_entity_files(records)]:
            yield record_batch(_ARROW, [[name], [content]])
        edges = [json.dumps(record).encode() for record in edge_records(records)]
        yield record_batch(_ARROW, [[_OF_EDGES] * len(edges), edges])


def _merged_buckets(batches: Batches) -> Iterator[list[Record]]:
    return map(merged_in_any_order, buckets_in(batches))


def _parts(batches: Batches) -> Iterator[list[Record]]:
    pending: list[Record] = []
    for batch in batches:
        pending += rows_of(iter([batch]))
        if len(pending) >= _RECORDS_AT_ONCE:
            yield pending
            pending = []
    if pending:
        yield pending


def _runs_of(edges: list[Record], records: DataFrame) -> list[Record]:
    """Return the runs whose job is the end of an edge."""
    names = runs_in_facets(edges)
    if not names:
        return []
    wanted = records.sparkSession.createDataFrame([(name,) for name in sorted(names)], "name string")
    runs = records.where(sql.col("kind") == "run").join(sql.broadcast(wanted), "name", "left_semi")
    return merged_in_any_order(Record(*row) for row in runs.select(*Record._fields).collect())


def _records_file(merged: list[Record]) -> TableFile:
    return "records", _file(merged, RECORDS_SCHEMA)


def _entity_files(merged: list[Record]) -> Iterator[TableFile]:
    """Yield a file for each table whose rows come from single records."""
    for name, table in ENTITY_TABLES.items():
        yield name, _file([row for record in merged for row in table.rows(record)], table.schema)


def _edge_files(records: list[Record]) -> Iterator[TableFile]:
    """Yield the files of edges and column edges, see `edge_tables`."""
    edges, column_edges = edge_tables(records)
    yield "edges", _file(edges, EDGES_SCHEMA)
    yield "column_edges", _file(column_edges, COLUMN_EDGES_SCHEMA)


def _file(rows: list[Record] | list[TableRow], schema: StructType) -> bytes:
    arrow = arrow_schema(schema)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in arrow]
    written = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_batches([record_batch(arrow, columns)]), written)
    return bytes(written.getvalue())


_IN_DRIVER = 32 << 20
"""Bytes of records that the driver merges. Starting a job would take longer."""
_IN_ONE_JOB = 256 << 20
"""Bytes of records whose tables are returned to the driver, which has their Parquet files in memory."""
_EARLIER_IN_DRIVER = 4 << 20
"""Bytes of earlier records as Parquet that the driver merges."""
_COLLECTED_BYTES = 64 << 20
"""Bytes of saved records whose tables fit in the memory of the driver, which are of about the same size."""


def save_packed_records(packed: DataFrame, size: int, folder: str, into: DataFrame | None) -> None:
    """Save all tables.

    Args:
        packed: A table with the texts of `packed_records` in its column `value`.
        size: Bytes of the records in memory.
        folder: New folder.
        into: The records of earlier events.
    """
    files = FileSystem(packed.sparkSession)
    if size <= _IN_DRIVER and (into is None or _is_small(files, into)):
        records = [record for row in packed.collect() for record in records_in_text(row.value)]
        if into is not None:
            records += (Record(*row) for row in into.select(*Record._fields).collect())
        write_files(files, folder, files_of_records(records))
    elif size <= _IN_ONE_JOB and into is None:
        write_files(files, folder, files_of_packed_records(packed))
    else:
        partial = unpacked_records(packed)
        save_records(merged_records(partial if into is None else partial.unionByName(into)), folder)


def save_new(records: DataFrame, folder: str) -> None:
    """Save all tables of merged records to a new folder, which exists only if it is complete.

    Spark Connect cannot move folders: it writes the tables to the folder itself.

    Raises:
        FileExistsError: The folder exists. Nothing was written.
        NotADirectoryError: The folder would be inside a file. Nothing was written.
        AnalysisException: The folder exists, in a Spark Connect session. Nothing was written.
    """
    if not has_jvm(records.sparkSession):
        save_records(records, folder)
        return
    files = FileSystem(records.sparkSession)
    files.assert_new(folder)
    unfinished = f"{folder}.unfinished-{uuid4().hex}"
    try:
        save_records(records, unfinished)
        files.move(unfinished, folder)
    finally:
        files.remove(unfinished)


def save_records(records: DataFrame, folder: str) -> None:
    """Save all tables of merged records.

    Raises:
        AnalysisException: The folder exists. Nothing was written.
    """
    spark = records.sparkSession
    records.write.parquet(f"{folder}/records")
    saved = spark.read.schema(RECORDS_SCHEMA).parquet(f"{without_globs(folder)}/records")
    if has_jvm(spark) and FileSystem(spark).size(f"{folder}/records") <= _COLLECTED_BYTES:
        write_files(FileSystem(spark), folder, files_of_merged_records(saved))
    else:
        tables = {name: table.of(saved) for name, table in ENTITY_TABLES.items()}
        tables |= {"edges": edges_of(saved), "column_edges": column_edges_of(saved)}
        for name, table in tables.items():
            table.write.parquet(f"{folder}/{name}")


def write_files(files: FileSystem, folder: str, tables: Iterable[TableFile]) -> None:
    """Write files to a folder for each table."""
    for number, (name, content) in enumerate(tables):
        files.write(f"{folder}/{name}/part-{number:05}.parquet", content)


def _is_small(files: FileSystem, saved: DataFrame) -> bool:
    """Return whether the driver can read records. Their size is known if they are stored in files."""
    paths = saved.inputFiles()
    return bool(paths) and sum(files.size(unquote(path)) for path in paths) <= _EARLIER_IN_DRIVER
