"""Compute the tables of a state in one job, whose tasks return Parquet files to the driver.

Spark would read the records again for each table, and plan, compile and schedule a job or more for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
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
from openlineage_facets.spark.archives.records.record import Record, rows_of
from openlineage_facets.spark.archives.tables.edges import has_edges, names_job_by_run, writes_of
from openlineage_facets.spark.archives.tables.table_files import (
    TableFile,
    edge_files,
    entity_files,
    records_file,
)

__all__ = ["collected_tables", "merged_tables"]

_SCHEMA = StructType([StructField("table", StringType()), StructField("content", BinaryType())])
_ARROW = arrow_schema(_SCHEMA)

_OF_EDGES = ""
"""In place of the name of a table: a record, from which the driver computes edges."""

_RECORDS_AT_ONCE = 20_000


def collected_tables(records: DataFrame) -> Iterator[TableFile]:
    """Yield one or several files for each table except `records`. The driver has all of them in memory.

    Args:
        records: Merged records.
    """
    yield from _collected(map_batches(records.select(*Record._fields), _files, _SCHEMA), records)


def merged_tables(packed: DataFrame) -> Iterator[TableFile]:
    """Yield one or several files for each table. The driver has all of them in memory.

    Args:
        packed: A table with the texts of `packed_records`, not merged, in its column `value`. It has records.
    """
    yield from _collected(map_batches(in_buckets(packed), _merged_files, _SCHEMA), unpacked_records(packed))


def _collected(returned: DataFrame, records: DataFrame) -> Iterator[TableFile]:
    """Yield the files that tasks return, and those of edges."""
    of_edges: list[Record] = []
    found = False
    for row in returned.collect():
        if row.table == _OF_EDGES:
            of_edges.append(Record(*json.loads(bytes(row.content))))
        else:
            found = True
            yield row.table, bytes(row.content)
    if not found:
        yield from entity_files([])
    yield from edge_files([*of_edges, *_runs_of(of_edges, records)])


def _files(batches: Batches) -> Batches:
    pending: list[Record] = []
    for batch in batches:
        pending += rows_of(iter([batch]))
        if len(pending) >= _RECORDS_AT_ONCE:
            yield from _returned(pending)
            pending = []
    if pending:
        yield from _returned(pending)


def _merged_files(batches: Batches) -> Batches:
    for bucket in buckets_in(batches):
        merged = merged_in_any_order(bucket)
        name, content = records_file(merged)
        yield record_batch(_ARROW, [[name], [content]])
        yield from _returned(merged)


def _returned(records: list[Record]) -> Iterator[pa.RecordBatch]:
    for name, content in entity_files(records):
        yield record_batch(_ARROW, [[name], [content]])
    with_edges = [record for record in records if has_edges(record)]
    of_runs = dict.fromkeys(writes_of(record) for record in records if record.kind == "run")
    of_edges = [json.dumps(record).encode() for record in (*with_edges, *of_runs)]
    yield record_batch(_ARROW, [[_OF_EDGES] * len(of_edges), of_edges])


def _runs_of(of_edges: list[Record], records: DataFrame) -> list[Record]:
    """Return the runs whose job is the end of an edge."""
    names = {record.source for record in of_edges if names_job_by_run(record)}
    if not names:
        return []
    wanted = records.sparkSession.createDataFrame([(name,) for name in sorted(names)], "name string")
    runs = records.where(sql.col("kind") == "run").join(sql.broadcast(wanted), "name", "left_semi")
    return merged_in_any_order(Record(*row) for row in runs.select(*Record._fields).collect())
