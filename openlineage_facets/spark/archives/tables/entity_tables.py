"""Compute the tables of jobs, datasets, runs and current facets from records, each in one pass.

The functions `*_rows` return the rows of one record, none if it belongs to other tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

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
    texts,
)
from openlineage_facets.spark.archives.records.moments import time_at, time_of
from openlineage_facets.spark.archives.records.record import FACET, Record, rows_of
from openlineage_facets.spark.archives.records.record_content import run_record, uses_from_json
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.records import LatestFacets

TableRow: TypeAlias = tuple[Any, ...]

_ROWS_OF_BATCH = 500

_NAMED = texts("namespace", "name")
_USED = [StructField("inputs", ArrayType(_NAMED)), StructField("outputs", ArrayType(_NAMED))]
DATASETS_SCHEMA = texts("namespace", "name", "first_seen", "last_seen")
JOBS_SCHEMA = StructType([*DATASETS_SCHEMA.fields, *_USED])
RUNS_SCHEMA = StructType(
    [
        *texts("run_id", "state", "started_at", "ended_at", "first_seen", "last_seen").fields,
        StructField("job", _NAMED),
        *_USED,
    ]
)
FACETS_SCHEMA = texts("entity", "namespace", "name", "run_id", "key", "facet", "reported_at", "reported_by")


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


def jobs_of(records: DataFrame) -> DataFrame:
    """Return a row for each job."""
    return mapped_records(records.where(sql.col("kind") == "job"), job_rows, JOBS_SCHEMA)


def job_rows(record: Record) -> Iterator[TableRow]:
    """Yield the row of a job."""
    if record.kind != "job":
        return
    used: dict[str, set[Key]] = {"input": set(), "output": set()}
    for role, _, *dataset in uses_from_json(record.content or ""):
        used[role].add((dataset[0], dataset[1]))
    yield (*_seen(record), *(_all_named(sorted(datasets)) for datasets in used.values()))


def datasets_of(records: DataFrame) -> DataFrame:
    """Return a row for each dataset."""
    return mapped_records(records.where(sql.col("kind") == "dataset"), dataset_rows, DATASETS_SCHEMA)


def dataset_rows(record: Record) -> Iterator[TableRow]:
    """Yield the row of a dataset."""
    if record.kind == "dataset":
        yield _seen(record)


def _seen(record: Record) -> TableRow:
    return record.namespace, record.name, time_at(record.first or ""), time_at(record.last or "")


def runs_of(records: DataFrame) -> DataFrame:
    """Return a row for each run."""
    return mapped_records(records.where(sql.col("kind") == "run"), run_rows, RUNS_SCHEMA)


def run_rows(row: Record) -> Iterator[TableRow]:
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


def facets_of(records: DataFrame) -> DataFrame:
    """Return a row for each current facet."""
    return mapped_records(
        records.where((sql.col("kind") == "run") | (sql.col("current") & sql.col("kind").endswith(FACET))),
        facet_rows,
        FACETS_SCHEMA,
    )


def facet_rows(record: Record) -> Iterator[TableRow]:
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
