"""Save records as the tables of a state, in a way that depends on their size.

The driver computes and writes small tables. The tasks of one job compute medium ones, which the driver
writes. Spark writes large ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from pyspark.sql import DataFrame

from openlineage_facets.spark.archives.file_system import FileSystem, without_globs
from openlineage_facets.spark.archives.records.merged_records import merged_records
from openlineage_facets.spark.archives.records.packed_records import records_in_text, unpacked_records
from openlineage_facets.spark.archives.records.record import RECORDS_SCHEMA, Record
from openlineage_facets.spark.archives.tables.edges import column_edges_of, edges_of
from openlineage_facets.spark.archives.tables.entity_tables import datasets_of, facets_of, jobs_of, runs_of
from openlineage_facets.spark.archives.tables.table_files import (
    TableFile,
    files_of_merged_records,
    files_of_packed_records,
    files_of_records,
)
from openlineage_facets.spark.jvm.session import has_jvm

_TABLES = {
    "jobs": jobs_of,
    "datasets": datasets_of,
    "runs": runs_of,
    "facets": facets_of,
    "edges": edges_of,
    "column_edges": column_edges_of,
}

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
        for name, table_of in _TABLES.items():
            table_of(saved).write.parquet(f"{folder}/{name}")


def write_files(files: FileSystem, folder: str, tables: Iterable[TableFile]) -> None:
    """Write files to a folder for each table."""
    for number, (name, content) in enumerate(tables):
        files.write(f"{folder}/{name}/part-{number:05}.parquet", content)


def _is_small(files: FileSystem, saved: DataFrame) -> bool:
    """Return whether the driver can read records. Their size is known if they are stored in files."""
    paths = saved.inputFiles()
    return bool(paths) and sum(files.size(unquote(path)) for path in paths) <= _EARLIER_IN_DRIVER
