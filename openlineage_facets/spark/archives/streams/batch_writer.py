"""Write one batch of a stream, so that a repeated batch replaces what a failed attempt has written."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.archives.file_system import FileSystem, without_globs
from openlineage_facets.spark.archives.lines.line_origins import RowOrigins
from openlineage_facets.spark.archives.outcomes.line_outcomes import (
    QUARANTINE,
    RECORDS,
    SUMMARY,
    VALID,
    LineCounts,
    line_outcomes,
)
from openlineage_facets.spark.archives.outcomes.outcome_files import text_in, write_outcomes
from openlineage_facets.spark.archives.records.packed_records import unpacked_records
from openlineage_facets.spark.archives.records.record import RECORDS_SCHEMA
from openlineage_facets.spark.archives.streams.batch_ranges import (
    ranges_of,
    superseded_before,
    to_merge,
    written_by,
)
from openlineage_facets.spark.archives.tables.lineage_tables import tables_of


@dataclass(frozen=True)
class BatchWriter:
    """Writes the batches of a stream. Spark calls it again for a batch until it has succeeded.

    Args:
        spark: A session with adaptive query execution, which Spark turns off in streams. It keeps the number
            of files in proportion to the records.
        folder: Folder for everything.
        valid: Whether to write valid lines.
        null_is_absent: Read fields that are null as absent.
        compression: The compression of lines.
    """

    spark: SparkSession
    folder: str
    valid: bool
    null_is_absent: bool
    compression: str

    def __call__(self, lines: DataFrame, batch: int) -> None:
        """Write a batch.

        Args:
            lines: A table with the columns `line` and `origin`.
            batch: The number of the batch. A repeated batch has the same number and lines.
        """
        files = FileSystem(self.spark)
        unfinished = f"{self.folder}/_unfinished"
        files.remove(unfinished)
        kept = (VALID, QUARANTINE) if self.valid else (QUARANTINE,)
        outcomes = line_outcomes(lines, {*kept, RECORDS}, RowOrigins, null_is_absent=self.null_is_absent)
        written = write_outcomes(outcomes, unfinished, files, self.compression)
        self._write_records(unpacked_records(text_in(self.spark, written[RECORDS])), files, batch)
        for name in kept:
            files.replace(written[name], f"{self.folder}/{name}/batch={batch}")
        self._write_counts(written, files, unfinished, batch)
        files.remove(unfinished)

    def _write_records(self, records: DataFrame, files: FileSystem, batch: int) -> None:
        """Write the records, merged with those of earlier batches where it is their turn."""
        folder = f"{self.folder}/records"
        ranges = ranges_of(files.names(folder))
        for superseded in superseded_before(batch, ranges):
            files.remove(f"{folder}/{superseded}")
        written = written_by(batch)
        paths = [without_globs(f"{folder}/{part}") for part in to_merge(written, ranges)]
        earlier = self.spark.read.schema(RECORDS_SCHEMA).parquet(*paths) if paths else None
        tables_of(records, earlier).records.write.mode("overwrite").parquet(f"{folder}/{written}")

    def _write_counts(self, written: dict[str, str], files: FileSystem, unfinished: str, batch: int) -> None:
        counts = LineCounts.total(text_in(self.spark, written[SUMMARY]))
        row = {
            "batch": batch,
            "lines": counts.lines,
            "valid": counts.valid,
            "quarantined": counts.quarantined,
            "blank": counts.blank,
            "errors": counts.errors_by_code(),
        }
        files.write(f"{unfinished}/counts.json", json.dumps(row).encode() + b"\n")
        files.replace(f"{unfinished}/counts.json", f"{self.folder}/counts/{batch}.json")
