"""Compute the tables of jobs, datasets, runs and facets, current or at each run, from records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, StructField, StructType

from openlineage_facets.base.model.tombstones import is_tombstone
from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    small_batches,
    texts,
)
from openlineage_facets.spark.archives.record import (
    AFTER_EVERY_RANK,
    DIGEST_DIGITS,
    FACET,
    FoldedRun,
    Record,
    moment_of,
    rows_of,
    run_record,
    time_at,
    time_of,
    uses_from_json,
)
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.records import LatestFacets

TableRow: TypeAlias = tuple[Any, ...]

_ROWS_OF_BATCH = 500

_NAMED = texts("namespace", "name")
_USED = [StructField("inputs", ArrayType(_NAMED)), StructField("outputs", ArrayType(_NAMED))]


def mapped_records(
    records: DataFrame, rows: Callable[[Record], Iterator[TableRow]], schema: StructType
) -> DataFrame:
    """Return the rows that a function yields for each record."""

    def map_all(batches: Batches) -> Batches:
        arrow = arrow_schema(schema)
        pending: list[TableRow] = []
        for record in rows_of(batches):
            pending += rows(record)
            if len(pending) >= _ROWS_OF_BATCH:
                yield record_batch(arrow, [list(column) for column in zip(*pending, strict=True)])
                pending = []
        if pending:
            yield record_batch(arrow, [list(column) for column in zip(*pending, strict=True)])

    return map_batches(records.select(*Record._fields), map_all, schema)


def _job_rows(record: Record) -> Iterator[TableRow]:
    """Yield the row of a job."""
    if record.kind != "job":
        return
    used: dict[str, set[Key]] = {"input": set(), "output": set()}
    for role, _, *dataset in uses_from_json(record.content or ""):
        used[role].add((dataset[0], dataset[1]))
    yield (*_seen(record), *(_all_named(sorted(datasets)) for datasets in used.values()))


def _dataset_rows(record: Record) -> Iterator[TableRow]:
    """Yield the row of a dataset."""
    if record.kind == "dataset":
        yield _seen(record)


def _seen(record: Record) -> TableRow:
    return record.namespace, record.name, time_at(record.first or ""), time_at(record.last or "")


def _run_rows(row: Record) -> Iterator[TableRow]:
    """Yield the row of a run."""
    if row.kind != "run":
        return
    record = run_record(row.content or "")
    assert record.seen is not None
    assert record.job is not None
    end = record.end()
    times = record.first_of_type.get("START"), end and end[1], *record.seen
    yield (
        row.name,
        record.state(),
        *map(_text, times),
        _named(record.job[1]),
        _all_named(sorted(record.inputs)),
        _all_named(sorted(record.outputs)),
    )


def _facet_rows(record: Record) -> Iterator[TableRow]:
    """Yield the rows of the current facets."""
    if record.kind == "run":
        run = run_record(record.content or "")
        yield from _facets_of_run("run", (None, None), record.name, run.facets)
        for role, used in (("input", run.inputs), ("output", run.outputs)):
            for dataset, facets in used.items():
                yield from _facets_of_run(role, dataset, record.name, facets)
    elif record.kind.endswith(FACET) and record.current and not is_tombstone(record.value):
        entity = record.kind.removesuffix(FACET)
        named = entity, record.namespace, record.name, None
        yield *named, record.key, record.value, time_at(record.last or ""), record.source or None


class EntityTable(NamedTuple):
    """A table whose rows come from single records.

    Args:
        rows: Yields the rows of a record, none if it belongs to other tables.
        condition: What records with rows have, as SQL.
        schema: The columns.
    """

    rows: Callable[[Record], Iterator[TableRow]]
    condition: str
    schema: StructType

    def of(self, records: DataFrame) -> DataFrame:
        """Return the table of the records of a fold."""
        return mapped_records(records.where(self.condition), self.rows, self.schema)


_SEEN = ("namespace", "name", "first_seen", "last_seen")
_TIMES = ("run_id", "state", "started_at", "ended_at", "first_seen", "last_seen")
JOBS = EntityTable(_job_rows, "kind = 'job'", StructType([*texts(*_SEEN).fields, *_USED]))
DATASETS = EntityTable(_dataset_rows, "kind = 'dataset'", texts(*_SEEN))
RUNS = EntityTable(
    _run_rows, "kind = 'run'", StructType([*texts(*_TIMES).fields, StructField("job", _NAMED), *_USED])
)
FACETS = EntityTable(
    _facet_rows,
    f"kind = 'run' OR (current AND endswith(kind, '{FACET}'))",
    texts("entity", "namespace", "name", "run_id", "key", "facet", "reported_at", "reported_by"),
)
ENTITY_TABLES = {"jobs": JOBS, "datasets": DATASETS, "runs": RUNS, "facets": FACETS}


def _facets_of_run(
    entity: str, dataset: tuple[str | None, str | None], run: str, facets: LatestFacets
) -> Iterator[TableRow]:
    for key, (sort_key, value) in facets.items():
        yield entity, *dataset, run, key, value, time_of(sort_key[:2]), run


def _text(instant: Instant | None) -> str | None:
    return None if instant is None else time_of(instant)


def _all_named(keys: list[Key]) -> list[dict[str, str]]:
    return [_named(key) for key in keys]


def _named(key: Key) -> dict[str, str]:
    return {"namespace": key[0], "name": key[1]}


_NAMES = ("run_id", "entity", "namespace", "name", "key", "facet", "reported_at", "reported_by")
_TABLE = texts(*_NAMES)
_ARROW = arrow_schema(_TABLE)

_SUBJECT = ("entity", "namespace", "name")
_VERSION = ("moment", "value", "source")
_REPORTED = texts(*_SUBJECT, "key", "digest", "source", "first", "last")
_USES = texts(*_SUBJECT, "run_id", "role", "moment")


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
    for batch in small_batches(batches):
        columns: list[list[Any]] = [[] for _ in _NAMES]
        for row in batch.to_pylist():
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
