"""Compute the tables of a state from records in memory, as Parquet files.

For a few megabytes of records, Spark would spend almost all of its time on planning a dozen jobs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as parquet  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql.types import StructType

from openlineage_facets.spark.archives.arrow_functions import arrow_schema, record_batch
from openlineage_facets.spark.archives.file_system import FileSystem
from openlineage_facets.spark.archives.records.merged_records import merged_in_any_order
from openlineage_facets.spark.archives.records.record import RECORDS_SCHEMA, Record
from openlineage_facets.spark.archives.tables.edges import COLUMN_EDGES_SCHEMA, EDGES_SCHEMA, edge_tables
from openlineage_facets.spark.archives.tables.entity_tables import (
    DATASETS_SCHEMA,
    FACETS_SCHEMA,
    JOBS_SCHEMA,
    RUNS_SCHEMA,
    TableRow,
    dataset_rows,
    facet_rows,
    job_rows,
    run_rows,
)

__all__ = [
    "TableFile",
    "edge_files",
    "entity_files",
    "parquet_tables",
    "records_file",
    "write_files",
]

TableFile: TypeAlias = tuple[str, bytes]
"""The name of a table, and a Parquet file with rows of it."""

_OF_ENTITIES = {
    "jobs": (job_rows, JOBS_SCHEMA),
    "datasets": (dataset_rows, DATASETS_SCHEMA),
    "runs": (run_rows, RUNS_SCHEMA),
    "facets": (facet_rows, FACETS_SCHEMA),
}


def parquet_tables(records: Iterable[Record]) -> Iterator[TableFile]:
    """Yield a file for each table that `LineageTables.save` writes.

    Args:
        records: The records of a fold, in any order, not merged.
    """
    merged = merged_in_any_order(records)
    yield records_file(merged)
    yield from entity_files(merged)
    yield from edge_files(merged)


def records_file(records: list[Record]) -> TableFile:
    """Return a file of the table of merged records."""
    return "records", _file(records, RECORDS_SCHEMA)


def entity_files(records: Iterable[Record]) -> Iterator[TableFile]:
    """Yield a file for each table whose rows come from single records.

    Args:
        records: Merged records.
    """
    rows: dict[str, list[TableRow]] = {name: [] for name in _OF_ENTITIES}
    for record in records:
        for name, (rows_of, _) in _OF_ENTITIES.items():
            rows[name] += rows_of(record)
    for name, (_, schema) in _OF_ENTITIES.items():
        yield name, _file(rows[name], schema)


def edge_files(records: Iterable[Record]) -> Iterator[TableFile]:
    """Yield the files of edges and column edges.

    Args:
        records: All merged records with edges, and the runs that they refer to.
    """
    edges, column_edges = edge_tables(records)
    yield "edges", _file(edges, EDGES_SCHEMA)
    yield "column_edges", _file(column_edges, COLUMN_EDGES_SCHEMA)


def write_files(files: FileSystem, folder: str, tables: Iterable[TableFile]) -> None:
    """Write files to a folder for each table."""
    for number, (name, content) in enumerate(tables):
        files.write(f"{folder}/{name}/part-{number:05}.parquet", content)


def _file(rows: list[Record] | list[TableRow], schema: StructType) -> bytes:
    arrow = arrow_schema(schema)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in arrow]
    written = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_batches([record_batch(arrow, columns)]), written)
    return bytes(written.getvalue())
