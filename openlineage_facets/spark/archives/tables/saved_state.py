"""Save packed records as the tables of a state, in one of three ways that depend on their size."""

from __future__ import annotations

from urllib.parse import unquote

from pyspark.sql import DataFrame

from openlineage_facets.spark.archives.file_system import FileSystem
from openlineage_facets.spark.archives.records.packed_records import records_in_text, unpacked_records
from openlineage_facets.spark.archives.records.record import Record
from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables, tables_of
from openlineage_facets.spark.archives.tables.one_pass import merged_tables
from openlineage_facets.spark.archives.tables.table_files import parquet_tables, write_files

__all__ = ["save_state"]

_IN_DRIVER = 32 << 20
"""Bytes of records that the driver merges. Starting a job would take longer."""
_IN_ONE_JOB = 256 << 20
"""Bytes of records whose tables are returned to the driver, which has their Parquet files in memory."""
_EARLIER_IN_DRIVER = 4 << 20
"""Bytes of earlier records as Parquet that the driver merges."""


def save_state(packed: DataFrame, size: int, folder: str, into: LineageTables | None) -> None:
    """Save the tables of records.

    Args:
        packed: A table with the texts of `packed_records` in its column `value`.
        size: Bytes of the records in memory.
        folder: New folder.
        into: The tables of earlier events.
    """
    files = FileSystem(packed.sparkSession)
    if size <= _IN_DRIVER and (into is None or _is_small(files, into.records)):
        records = [record for row in packed.collect() for record in records_in_text(row.value)]
        if into is not None:
            records += (Record(*row) for row in into.records.select(*Record._fields).collect())
        write_files(files, folder, parquet_tables(records))
    elif size <= _IN_ONE_JOB and into is None:
        write_files(files, folder, merged_tables(packed))
    else:
        tables_of(unpacked_records(packed), into).save(folder)


def _is_small(files: FileSystem, saved: DataFrame) -> bool:
    """Return whether the driver can read records. Their size is known if they are stored in files."""
    paths = saved.inputFiles()
    return bool(paths) and sum(files.size(unquote(path)) for path in paths) <= _EARLIER_IN_DRIVER
