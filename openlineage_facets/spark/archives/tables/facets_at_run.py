"""Compute the facets of job, inputs and outputs in force at each run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from openlineage_facets.base.model.tombstones import is_tombstone
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.spark.archives.records.moments import AFTER_EVERY_RANK, moment_of, time_at
from openlineage_facets.spark.archives.records.record import FACET, Record
from openlineage_facets.spark.archives.records.record_content import DIGEST_DIGITS, FoldedRun, run_record
from openlineage_facets.spark.archives.tables.entity_tables import mapped_records

_NAMES = ("run_id", "entity", "namespace", "name", "key", "facet", "reported_at", "reported_by")
_TABLE = texts(*_NAMES)
_ARROW = arrow_schema(_TABLE)

_SUBJECT = ("entity", "namespace", "name")
_VERSION = ("moment", "value", "source")
_REPORTED = texts(*_SUBJECT, "key", "digest", "source", "first", "last")
_USES = texts(*_SUBJECT, "run_id", "role", "moment")
_ROWS_AT_ONCE = 500


def facets_at_run_of(records: DataFrame) -> DataFrame:
    """Return a row for each facet of job, inputs and outputs that was in force at a run.

    For each entity, facet versions and runs are merged in order of time and read once, keeping the facets in
    force. Memory does not grow with the length of the history.
    """
    runs = records.where(sql.col("kind") == "run")
    facets = records.where(sql.col("kind").endswith(FACET)).select(
        sql.regexp_replace("kind", f"{FACET}$", "").alias("entity"),
        *("namespace", "name", "key", "value", "first_without_run", "last_without_run"),
    )
    digest = sql.substring(sql.sha2("value", 256), 1, DIGEST_DIGITS)
    reported = mapped_records(runs, _reported, _REPORTED)
    by_runs = reported.join(facets.withColumn("digest", digest), [*_SUBJECT, "key", "digest"])
    versions = _versions(by_runs, "first", "last").unionByName(
        _versions(
            facets.where("last_without_run IS NOT NULL").withColumn("source", sql.lit("")),
            *("first_without_run", "last_without_run"),
        )
    )
    rows = versions.unionByName(_uses(runs, by_runs), allowMissingColumns=True)
    in_order = rows.repartition(*_SUBJECT).sortWithinPartitions(
        *_SUBJECT, "moment", "value", "source", sql.col("role").isNotNull()
    )
    columns = [*_SUBJECT, "key", *_VERSION, "run_id", "role", "own"]
    return map_batches(in_order.select(columns), _in_order_of_time, _TABLE)


def _reported(record: Record) -> Iterator[tuple[Any, ...]]:
    for facet, moments in FoldedRun.from_json(record.content or "").reported.items():
        yield *facet, record.name, *moments


def _versions(facets: DataFrame, first: str, last: str) -> DataFrame:
    moment = sql.explode(sql.array_distinct(sql.array(first, last))).alias("moment")
    return facets.select(*_SUBJECT, "key", moment, "value", "source")


def _uses(runs: DataFrame, by_runs: DataFrame) -> DataFrame:
    """Return a row for each run and entity: run, role and instant.

    `own` contains the latest facets that the run itself reported. They count at any time.
    """
    latest = by_runs.groupBy(*_SUBJECT, sql.col("source").alias("run_id"), "key").agg(
        sql.max(sql.struct(sql.col("last").alias("moment"), "value", "source")).alias("version")
    )
    own = latest.groupBy(*_SUBJECT, "run_id").agg(sql.collect_list(sql.struct("key", "version")).alias("own"))
    return mapped_records(runs, _used, _USES).join(own, [*_SUBJECT, "run_id"], "left")


def _used(record: Record) -> Iterator[tuple[Any, ...]]:
    run = run_record(record.content or "")
    assert run.job is not None
    at = moment_of(*run.facets_at(), AFTER_EVERY_RANK)
    yield "job", *run.job[1], record.name, "job", at
    for role, datasets in (("input", run.inputs), ("output", run.outputs)):
        for dataset in datasets:
            yield "dataset", *dataset, record.name, role, at


def _in_order_of_time(batches: Batches) -> Batches:
    subject: tuple[str, ...] = ()
    current: dict[str, tuple[str, ...]] = {}
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS_AT_ONCE):
            columns: list[list[Any]] = [[] for _ in _NAMES]
            for row in batch.slice(start, _ROWS_AT_ONCE).to_pylist():
                if subject != (subject := tuple(row[name] for name in _SUBJECT)):
                    current = {}
                if row["role"] is None:
                    current[row["key"]] = tuple(row[name] for name in _VERSION)
                    continue
                for key, (moment, value, source) in _in_force(current, row["own"]).items():
                    if not is_tombstone(value):
                        owner = row["run_id"], row["role"], *subject[1:]
                        cells = *owner, key, value, time_at(moment), source or None
                        for column, cell in zip(columns, cells, strict=True):
                            column.append(cell)
            yield record_batch(_ARROW, columns)


def _in_force(
    current: dict[str, tuple[str, ...]], own: list[dict[str, Any]] | None
) -> dict[str, tuple[str, ...]]:
    facets = dict(current)
    for entry in own or ():
        key, version = entry["key"], tuple(entry["version"][name] for name in _VERSION)
        facets[key] = max(facets.get(key, version), version)
    return facets
