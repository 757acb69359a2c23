"""Compute the tables of a small state in the driver.

For a few megabytes of records, Spark would spend almost all of its time on planning a dozen jobs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.parquet as parquet  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql.types import StructType

from openlineage_facets.spark.archives.arrow_functions import arrow_schema, record_batch
from openlineage_facets.spark.archives.records.fold_records import IDENTITY, RECORDS_SCHEMA, Record
from openlineage_facets.spark.archives.records.merged_records import merged_in_order
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

__all__ = ["parquet_tables"]

_BY_RECORD = {
    "jobs": (job_rows, JOBS_SCHEMA),
    "datasets": (dataset_rows, DATASETS_SCHEMA),
    "runs": (run_rows, RUNS_SCHEMA),
    "facets": (facet_rows, FACETS_SCHEMA),
}


def parquet_tables(records: Iterable[Record]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the Parquet file of each table that `LineageTables.save` writes.

    Args:
        records: The records of a fold, in any order, not merged.
    """
    merged = list(merged_in_order(sorted(records, key=lambda it: it[: len(IDENTITY)])))
    yield "records", _file(merged, RECORDS_SCHEMA)
    for name, (rows_of, schema) in _BY_RECORD.items():
        yield name, _file([row for record in merged for row in rows_of(record)], schema)
    edges, column_edges = edge_tables(merged)
    yield "edges", _file(edges, EDGES_SCHEMA)
    yield "column_edges", _file(column_edges, COLUMN_EDGES_SCHEMA)


def _file(rows: list[Record] | list[TableRow], schema: StructType) -> bytes:
    arrow = arrow_schema(schema)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in arrow]
    written = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_batches([record_batch(arrow, columns)]), written)
    return bytes(written.getvalue())
