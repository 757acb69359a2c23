"""Compute the tables of a state as Parquet files, in the driver or in one job whose tasks return them.

For a few megabytes of records, Spark would spend almost all of its time on planning a dozen jobs. For more,
it would read the records again for each table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as parquet  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
)
from openlineage_facets.spark.archives.records.merged_records import merged_in_any_order
from openlineage_facets.spark.archives.records.packed_records import (
    buckets_in,
    in_buckets,
    unpacked_records,
)
from openlineage_facets.spark.archives.records.record import RECORDS_SCHEMA, Record, rows_of
from openlineage_facets.spark.archives.tables.edges import (
    COLUMN_EDGES_SCHEMA,
    EDGES_SCHEMA,
    edge_records,
    edge_tables,
    runs_in_facets,
)
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

TableFile: TypeAlias = tuple[str, bytes]
"""The name of a table, and a Parquet file with rows of it."""

Parts: TypeAlias = Callable[[Batches], Iterator[list[Record]]]
"""Returns the merged records of a partition in several parts. Runs in the executors."""

_OF_ENTITIES = {
    "jobs": (job_rows, JOBS_SCHEMA),
    "datasets": (dataset_rows, DATASETS_SCHEMA),
    "runs": (run_rows, RUNS_SCHEMA),
    "facets": (facet_rows, FACETS_SCHEMA),
}

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
    frame: DataFrame,
    parts: Parts,
    records: DataFrame,
    *,
    with_records: bool,
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
    rows: dict[str, list[TableRow]] = {name: [] for name in _OF_ENTITIES}
    for record in merged:
        for name, (rows_of_record, _) in _OF_ENTITIES.items():
            rows[name] += rows_of_record(record)
    for name, (_, schema) in _OF_ENTITIES.items():
        yield name, _file(rows[name], schema)


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
