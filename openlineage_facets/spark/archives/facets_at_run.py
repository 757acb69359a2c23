"""Compute the facets of job, inputs and outputs in force at each run."""

from __future__ import annotations

from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.spark.archives.runs import runs_of

__all__ = ["facets_at_run_of"]

_NAMES = ("run_id", "entity", "namespace", "name", "key", "facet", "reported_at", "reported_by")
_TABLE = texts(*_NAMES)
_ARROW = arrow_schema(_TABLE)

_SUBJECT = ("entity", "namespace", "name")
_SORT_KEY = ("seconds", "fraction", "rank")
_VERSION = (*_SORT_KEY, "value", "source", "time", "deleted")
_ROWS_AT_ONCE = 500


def facets_at_run_of(records: DataFrame) -> DataFrame:
    """Return a row for each facet of job, inputs and outputs that was in force at a run.

    For each entity, facet versions and runs are merged in order of time and read once, keeping the facets in
    force. Memory does not grow with the length of the history.
    """
    versions = records.where(sql.col("entity").isin("job", "dataset") & (sql.col("part") == "facet"))
    rows = _versions(versions).unionByName(_uses(runs_of(records), versions), allowMissingColumns=True)
    in_order = rows.repartition(*_SUBJECT).sortWithinPartitions(
        *_SUBJECT, "seconds", "fraction", sql.col("role").isNotNull(), "rank", "value", "source"
    )
    columns = [*_SUBJECT, "key", *_VERSION, "run_id", "role", "own"]
    return map_batches(in_order.select(columns), _in_order_of_time, _TABLE)


def _version(sort_key: str) -> Column:
    parts = {"value": "value", "source": "source", "deleted": "last.deleted"}
    return sql.struct(*(sql.col(parts.get(name, f"{sort_key}.{name}")).alias(name) for name in _VERSION))


def _versions(versions: DataFrame) -> DataFrame:
    both = sql.array_distinct(sql.array(_version("first"), _version("last")))
    exploded = versions.select(*_SUBJECT, "key", sql.explode(both).alias("version"))
    return exploded.select(*_SUBJECT, "key", "version.*")


def _uses(runs: DataFrame, versions: DataFrame) -> DataFrame:
    """Return a row for each run and entity: run, role and instant.

    `own` contains the latest facets that the run itself reported. They count at any time.
    """

    uses = [_uses_in_role(runs, "job", "job", "job")]
    for role in ("input", "output"):
        used = runs.withColumn("used", sql.explode(f"{role}s"))
        uses.append(_uses_in_role(used, "dataset", role, "used"))
    all_uses = uses[0].unionByName(uses[1]).unionByName(uses[2])
    latest = (
        versions.where("source != ''")
        .groupBy(*_SUBJECT, sql.col("source").alias("run_id"), "key")
        .agg(sql.max(_version("last")).alias("version"))
    )
    own = latest.groupBy(*_SUBJECT, "run_id").agg(sql.collect_list(sql.struct("key", "version")).alias("own"))
    return all_uses.join(own, [*_SUBJECT, "run_id"], "left")


def _uses_in_role(runs: DataFrame, entity: str, role: str, subject: str) -> DataFrame:
    return runs.select(
        sql.lit(entity).alias("entity"),
        sql.col(f"{subject}.namespace").alias("namespace"),
        sql.col(f"{subject}.name").alias("name"),
        "run_id",
        sql.lit(role).alias("role"),
        "facets_at.seconds",
        "facets_at.fraction",
    )


def _in_order_of_time(batches: Batches) -> Batches:
    subject: tuple[str, ...] = ()
    current: dict[str, tuple[Any, ...]] = {}
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS_AT_ONCE):
            columns: list[list[Any]] = [[] for _ in _NAMES]
            for row in batch.slice(start, _ROWS_AT_ONCE).to_pylist():
                if subject != (subject := tuple(row[name] for name in _SUBJECT)):
                    current = {}
                if row["role"] is None:
                    current[row["key"]] = tuple(row[name] for name in _VERSION)
                    continue
                for key, (*_, value, source, time, deleted) in _in_force(current, row["own"]).items():
                    if not deleted:
                        owner = row["run_id"], row["role"], *subject[1:]
                        for column, cell in zip(
                            columns, (*owner, key, value, time, source or None), strict=True
                        ):
                            column.append(cell)
            yield record_batch(_ARROW, columns)


def _in_force(
    current: dict[str, tuple[Any, ...]], own: list[dict[str, Any]] | None
) -> dict[str, tuple[Any, ...]]:
    facets = dict(current)
    for entry in own or ():
        key, version = entry["key"], tuple(entry["version"][name] for name in _VERSION)
        facets[key] = max(facets.get(key, version), version)
    return facets
