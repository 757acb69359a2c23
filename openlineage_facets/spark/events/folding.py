"""Folds a table of events into tables of what they add up to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sql

from openlineage_facets.spark.events.columns import assert_text_column
from openlineage_facets.spark.events.edges import column_edges_of, edges_of
from openlineage_facets.spark.events.facets import facets_of, latest_facets
from openlineage_facets.spark.events.facets_when_run import facets_when_run_of
from openlineage_facets.spark.events.remembered import REMEMBERED, merged, remembered
from openlineage_facets.spark.events.runs import runs_of

__all__ = ["LineageTables", "fold_events", "remembered_of"]


@dataclass(frozen=True)
class LineageTables:
    """What events add up to, as tables; `docs/archives.md` has their columns.

    A table is worked out when it is used, each time from `remembered`: save that, or cache it, before using
    several.

    Args:
        remembered: All that the fold remembers, from which the tables follow and onto which more events fold.
    """

    remembered: DataFrame

    @cached_property
    def jobs(self) -> DataFrame:
        """A row for each job: when it was heard of, and what it reads and writes."""
        jobs = self.remembered.where(sql.col("entity") == "job")
        return jobs.groupBy("namespace", "name").agg(
            sql.max(sql.when(sql.col("part") == "seen", sql.col("first.time"))).alias("first_seen"),
            sql.max(sql.when(sql.col("part") == "seen", sql.col("last.time"))).alias("last_seen"),
            _used("input").alias("inputs"),
            _used("output").alias("outputs"),
        )

    @cached_property
    def datasets(self) -> DataFrame:
        """A row for each dataset: when it was heard of."""
        datasets = self.remembered.where((sql.col("entity") == "dataset") & (sql.col("part") == "seen"))
        return datasets.select(
            "namespace",
            "name",
            sql.col("first.time").alias("first_seen"),
            sql.col("last.time").alias("last_seen"),
        )

    @cached_property
    def runs(self) -> DataFrame:
        """A row for each run: its job, how far it came and when, what it read and wrote."""
        return runs_of(self.remembered).drop("moment")

    @cached_property
    def facets(self) -> DataFrame:
        """A row for each facet that holds now, of a job, dataset or run or of a run's input or output."""
        return facets_of(self._latest)

    @cached_property
    def facets_when_run(self) -> DataFrame:
        """A row for each facet of the job, the inputs and the outputs of a run that was in force when it ran.

        It is large, for each run has all facets of what it touched; `save` leaves it out.
        """
        return facets_when_run_of(self.remembered)

    @cached_property
    def edges(self) -> DataFrame:
        """A row for each edge between jobs and datasets."""
        return edges_of(self.remembered, self._latest)

    @cached_property
    def column_edges(self) -> DataFrame:
        """A row for each edge that has a column at either end."""
        return column_edges_of(self.remembered, self._latest)

    @cached_property
    def _latest(self) -> DataFrame:
        return latest_facets(self.remembered)

    def cached(self) -> LineageTables:
        """Return the same tables, with what they remember kept in Spark's cache."""
        return LineageTables(self.remembered.persist())

    def save(self, path: str | PathLike[str]) -> LineageTables:
        """Write the tables, all but `facets_when_run`, as Parquet into a folder of its own below `path`.

        Returns:
            The tables as they were written; using them works nothing out again.

        Raises:
            AnalysisException: There is something at `path` already; nothing was written.
        """
        folder = fspath(path)
        self.remembered.write.parquet(f"{folder}/remembered")
        saved = LineageTables.load(self.remembered.sparkSession, folder)
        for name in ("jobs", "datasets", "runs", "facets", "edges", "column_edges"):
            getattr(saved, name).write.parquet(f"{folder}/{name}")
        return saved

    @classmethod
    def load(cls, spark: SparkSession, path: str | PathLike[str]) -> LineageTables:
        """Return the tables that `save` wrote."""
        return cls(spark.read.schema(REMEMBERED).parquet(f"{fspath(path)}/remembered"))


def _used(role: str) -> Column:
    dataset = sql.struct(sql.col("other_namespace").alias("namespace"), sql.col("other_name").alias("name"))
    return sql.sort_array(
        sql.collect_set(sql.when((sql.col("part") == "use") & (sql.col("key") == role), dataset))
    )


def fold_events(
    events: DataFrame, *, column: str = "line", into: LineageTables | DataFrame | None = None
) -> LineageTables:
    """Fold events into what they add up to, as `openlineage_facets.state.LineageState` does.

    The result depends on the events alone: not on how the rows are partitioned or ordered, and not on whether
    an event stands there twice.

    Args:
        events: A table of events, as `read_events` gives it or any other. Rows that have no place in a state
            (no JSON, no time, no name) are passed over; `events.where("valid")` leaves out all that is not
            valid.
        column: The text or binary column that holds the events.
        into: What earlier events added up to: the tables, or their `remembered`.

    Raises:
        ValueError: There is no such column of text or bytes.
        TypeError: `into` is something else.

    Example:
        >>> tables = fold_events(read_events(spark, "lineage/2026-11-21/"))
        >>> tables.facets.where("entity = 'dataset' and key = 'ownership'").show()
        >>> more = fold_events(read_events(spark, "lineage/2026-11-22/"), into=tables)
    """
    assert_text_column(events, column)
    rows = remembered(events, column)
    if into is not None:
        rows = rows.unionByName(remembered_of(into))
    return LineageTables(merged(rows))


def remembered_of(into: LineageTables | DataFrame) -> DataFrame:
    """Return the one table of what events added up to.

    Raises:
        TypeError: It is no such table.
    """
    table = into.remembered if isinstance(into, LineageTables) else into
    if set(REMEMBERED.names) != set(getattr(table, "columns", ())):
        raise TypeError(
            f"into: expected LineageTables, or their `remembered`, found {into!r}; "
            "LineageTables.load(spark, FOLDER) gives those that `save` wrote"
        )
    return table
