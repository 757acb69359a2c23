"""Fold a table of events into tables of jobs, datasets, runs, facets and edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.archives.event_columns import assert_text_column
from openlineage_facets.spark.archives.file_system import folder_path, without_globs
from openlineage_facets.spark.archives.folding import event_records, merged_records
from openlineage_facets.spark.archives.record import RECORDS_SCHEMA
from openlineage_facets.spark.archives.tables.edges import collected_lineage, column_edges_of, edges_of
from openlineage_facets.spark.archives.tables.entity_tables import (
    DATASETS,
    FACETS,
    JOBS,
    RUNS,
    facets_at_run_of,
)
from openlineage_facets.spark.archives.tables.saved_state import save_new
from openlineage_facets.state import Lineage


@dataclass(frozen=True)
class LineageTables:
    """Folded events as tables. `docs/archives.md` lists their columns.

    Each table is computed from `records` when it is used. Cache or save the tables before using several.

    Args:
        records: The records of the fold. All tables are computed from them, and more events can be folded
            into them.
    """

    records: DataFrame

    @cached_property
    def jobs(self) -> DataFrame:
        """A row for each job, with first and last event, inputs and outputs."""
        return JOBS.of(self.records)

    @cached_property
    def datasets(self) -> DataFrame:
        """A row for each dataset, with first and last event."""
        return DATASETS.of(self.records)

    @cached_property
    def runs(self) -> DataFrame:
        """A row for each run, with job, state, times, inputs and outputs."""
        return RUNS.of(self.records)

    @cached_property
    def facets(self) -> DataFrame:
        """A row for each current facet of jobs, datasets, runs, inputs and outputs."""
        return FACETS.of(self.records)

    @cached_property
    def facets_at_run(self) -> DataFrame:
        """A row for each facet of job, inputs and outputs that was in force at a run.

        Large: facets are repeated for each run. Not included in `save`.
        """
        return facets_at_run_of(self.records)

    @cached_property
    def edges(self) -> DataFrame:
        """A row for each edge between jobs and datasets."""
        return edges_of(self.records)

    @cached_property
    def column_edges(self) -> DataFrame:
        """A row for each edge with a column at either end."""
        return column_edges_of(self.records)

    def lineage(self, *, join_symlinks: bool = False) -> Lineage:
        """Collect the graph of jobs, datasets and columns, as `LineageState.lineage` returns it.

        Args:
            join_symlinks: Combine datasets that are linked by current `symlinks` facets into one node.
        """
        return collected_lineage(self.records, join_symlinks=join_symlinks)

    def cached(self) -> LineageTables:
        """Return the same tables with `records` cached by Spark."""
        return LineageTables(self.records.persist())

    def save(self, path: str | PathLike[str]) -> LineageTables:
        """Write all tables except `facets_at_run` as Parquet, each to a folder in `path`.

        They are written to a temporary folder next to `path`, which is moved when it is complete. With Spark
        Connect, which cannot move folders, they are written to `path` itself.

        Returns:
            The saved tables, with `records` read from `path`.

        Raises:
            ValueError: `path` is empty.
            FileExistsError: `path` exists. Nothing was written.
            NotADirectoryError: `path` would be inside a file. Nothing was written.
            AnalysisException: The same with Spark Connect, if `path` has the table `records`.
        """
        save_new(self.records, folder_path("path", path))
        return LineageTables.load(self.records.sparkSession, path)

    @classmethod
    def load(cls, spark: SparkSession, path: str | PathLike[str]) -> LineageTables:
        """Return the tables written by `save`, or by a stream of `fold_stream`.

        The stream may be running: the tables contain the batches that were finished at this moment.
        """
        folder = f"{without_globs(fspath(path))}/records"
        reader = spark.read.schema(RECORDS_SCHEMA).option("recursiveFileLookup", value=True)
        records = reader.parquet(folder)
        of_stream = any(file.split("/")[-2] != "records" for file in records.inputFiles())
        return cls(merged_records(records) if of_stream else records)


def fold_events(
    events: DataFrame,
    *,
    column: str = "line",
    into: LineageTables | DataFrame | None = None,
    null_is_absent: bool = False,
) -> LineageTables:
    """Fold events like `openlineage_facets.state.LineageState`.

    The result does not depend on partitioning, order or duplicates of the events.

    Args:
        events: A table of events, such as the result of `read_events`. Rows without a valid event time or
            without names are ignored. `events.where("valid")` selects valid events only.
        column: The string or binary column with the events.
        into: The tables of earlier events, or their `records`.
        null_is_absent: Read fields that are null as absent, as for `read_events`.

    Raises:
        ValueError: The string or binary column does not exist.
        TypeError: `into` is not LineageTables or records.

    Example:
        >>> tables = fold_events(read_events(spark, "lineage/2026-11-21/"))
        >>> tables.facets.where("entity = 'dataset' and key = 'ownership'").show()
        >>> more = fold_events(read_events(spark, "lineage/2026-11-22/"), into=tables)
    """
    assert_text_column(events, column)
    return tables_of(event_records(events, column, null_is_absent=null_is_absent), into)


def tables_of(records: DataFrame, into: LineageTables | DataFrame | None) -> LineageTables:
    """Return the tables of partial records, merged with those of earlier events.

    Raises:
        TypeError: `into` is not LineageTables or records.
    """
    return LineageTables(merged_records(records if into is None else records.unionByName(records_of(into))))


def records_of(into: LineageTables | DataFrame) -> DataFrame:
    """Return the records of tables.

    Raises:
        TypeError: `into` is not LineageTables or records.
    """
    table = into.records if isinstance(into, LineageTables) else into
    if set(RECORDS_SCHEMA.names) != set(getattr(table, "columns", ())):
        raise TypeError(
            f"into: expected LineageTables, or their `records`, found {into!r}; "
            "LineageTables.load(spark, FOLDER) returns saved tables"
        )
    return table
