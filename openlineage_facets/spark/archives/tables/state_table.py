"""Fold events into a table of a catalog, such as one of Delta or Iceberg, a generation at a time."""

from __future__ import annotations

from uuid import uuid4

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.folding import merged_records
from openlineage_facets.spark.archives.record import RECORDS_SCHEMA
from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables, fold_events

_PLAIN_FILES = {"avro", "csv", "json", "orc", "parquet", "text", "xml"}
"""Formats of tables whose rows cannot be deleted."""

_GENERATION = "generation"
"""The column by which the table is partitioned: a fold, or the merge of several."""


class StateTable:
    """A state in a table of a catalog, to which each fold adds its records.

    A fold neither reads nor rewrites earlier records, so its cost depends on its own events only. Records are
    merged when they are read. Since merging a record twice has no effect, a fold may be repeated after a
    failure, and several jobs may fold into the table at the same time.

    Args:
        spark: The session.
        name: The name of the table, or the path of a Delta table: "delta.`s3a://lake/state`". The first fold
            creates it.
        format: The format of a new table: "delta", "iceberg" or another one with atomic appends and DELETE.
            Ignored if the table exists.

    Raises:
        ValueError: The format has no DELETE.

    Example:
        >>> state = StateTable(spark, "lake.lineage", format="delta")
        >>> state.fold(read_events(spark, "lineage/2026-11-21T07/").where("valid"))
        >>> state.tables().runs.where("state = 'FAIL'").show()
    """

    def __init__(self, spark: SparkSession, name: str, *, format: str | None = None) -> None:
        if format is not None and format.lower() in _PLAIN_FILES:
            raise ValueError(
                f"format: expected a format with DELETE, such as delta or iceberg, found {format!r}"
            )
        self._spark, self._name, self._format = spark, name, format

    def fold(self, events: DataFrame, *, column: str = "line", null_is_absent: bool = False) -> None:
        """Fold events into the table.

        Args:
            events: A table of events, see `fold_events`.
            column: The string or binary column with the events.
            null_is_absent: Read fields that are null as absent, as for `read_events`.

        Raises:
            ValueError: The string or binary column does not exist, or see `check`.
        """
        self.add(fold_events(events, column=column, null_is_absent=null_is_absent))

    def add(self, tables: LineageTables) -> None:
        """Add the result of a fold as a new generation, in one commit.

        Raises:
            ValueError: See `check`.
        """
        self.check()
        self._append(tables.records)

    def check(self) -> None:
        """Check that events can be folded into the table.

        Raises:
            ValueError: The table is not a state, or it does not exist and no format was passed.
        """
        if self._exists():
            self._records()
        elif self._format is None:
            raise ValueError(
                f"{self._name}: no such table; to create it, pass a format, such as delta or iceberg"
            )

    def tables(self) -> LineageTables:
        """Return everything folded so far.

        Raises:
            ValueError: The table is not a state.
            AnalysisException: The table does not exist.
        """
        return LineageTables(merged_records(self._records().drop(_GENERATION)))

    def compact(self) -> None:
        """Merge all generations into one.

        The merged generation is added before the others are deleted. A failure in between, and folds at the
        same time, change nothing in the result. Deleted files remain as long as the table keeps its history.

        Raises:
            ValueError: The table is not a state.
            AnalysisException: The table does not exist.
        """
        records = self._records()
        merged = [row[0] for row in records.select(_GENERATION).distinct().collect()]
        if len(merged) > 1:
            # A fold that has been added since belongs to another generation.
            of_these = records.where(sql.col(_GENERATION).isin(merged))
            self._append(merged_records(of_these.drop(_GENERATION)))
            self._delete(merged)

    def _append(self, records: DataFrame) -> None:
        generation = records.withColumn(_GENERATION, sql.lit(uuid4().hex))
        if self._format and not self._exists():
            writer = generation.writeTo(self._name).using(self._format)
            try:
                writer.partitionedBy(sql.col(_GENERATION)).create()
            except AnalysisException:
                if not self._exists():
                    raise
            else:
                return
        generation.writeTo(self._name).append()

    def _exists(self) -> bool:
        try:
            return self._spark.catalog.tableExists(self._name)
        except AnalysisException as error:
            if "DELTA_MISSING_DELTA_TABLE" in str(error):  # A table named by its path: delta.`PATH`.
                return False
            raise

    def _records(self) -> DataFrame:
        records = self._spark.read.table(self._name)
        expected = [*RECORDS_SCHEMA.names, _GENERATION]
        if records.columns != expected:
            raise ValueError(
                f"{self._name}: expected a table created by StateTable, with the columns "
                f"{', '.join(expected)}, found {', '.join(records.columns)}; choose another name"
            )
        return records

    def _delete(self, generations: list[str]) -> None:
        names = ", ".join(f"'{name}'" for name in generations)
        self._spark.sql(f"DELETE FROM {self._name} WHERE {_GENERATION} IN ({names})")
