"""Collect the records of which the lineage graph of a fold is built."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.records.record import RECORDS_SCHEMA, Record
from openlineage_facets.spark.archives.records.state_records import state_records, writes_of
from openlineage_facets.spark.archives.tables.edges import NAMES_JOB_BY_RUN
from openlineage_facets.spark.archives.tables.entity_tables import mapped_records
from openlineage_facets.state import Lineage
from openlineage_facets.state.record_lineage import lineage_of


def collected_lineage(records: DataFrame, *, join_symlinks: bool) -> Lineage:
    """Return the graph of jobs, datasets and columns.

    Of most runs, only what they have written is collected, once for all runs that have written the same.
    """
    runs = records.where("kind = 'run'")
    current = records.where("kind != 'run' AND current")
    facets = current.where(NAMES_JOB_BY_RUN).select(sql.col("source").alias("name"))
    parts = (
        current,
        _last_runs(runs),
        runs.join(facets, "name", "left_semi"),
        mapped_records(runs, _writes, RECORDS_SCHEMA).distinct(),
    )
    rows = (row for part in parts for row in part.select(*Record._fields).collect())
    state = state_records(Record(*row) for row in rows)
    return lineage_of(state, join_symlinks=join_symlinks)


def _last_runs(runs: DataFrame) -> DataFrame:
    """Return the run of each job that was first seen last."""
    run = sql.from_json("content", "job array<string>, seen array<string>")
    first_seen = sql.struct(run["seen"][0], sql.col("name"))
    last = sql.max_by(sql.struct(*Record._fields), first_seen)
    return runs.groupBy(sql.slice(run["job"], 1, 2).alias("job")).agg(last.alias("run")).select("run.*")


def _writes(run: Record) -> Iterator[Record]:
    yield writes_of(run)
