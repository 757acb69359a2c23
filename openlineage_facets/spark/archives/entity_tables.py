"""Compute the tables of jobs, datasets, runs and current facets from records, each in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.spark.archives.fold_records import FACET, Record, rows_of
from openlineage_facets.spark.archives.folded_run import run_record
from openlineage_facets.spark.archives.job_uses import uses_from_json
from openlineage_facets.spark.archives.moments import moment_of, time_at
from openlineage_facets.state.event_parts import Key
from openlineage_facets.state.instants import Instant, timestamp_of
from openlineage_facets.state.records import LatestFacets
from openlineage_facets.state.typed_facets import is_tombstone

__all__ = ["datasets_of", "facets_of", "jobs_of", "mapped_records", "runs_of"]

_Row: TypeAlias = tuple[Any, ...]

_ROWS_OF_BATCH = 500

_NAMED = texts("namespace", "name")
_USED = [StructField("inputs", ArrayType(_NAMED)), StructField("outputs", ArrayType(_NAMED))]
_DATASETS = texts("namespace", "name", "first_seen", "last_seen")
_JOBS = StructType([*_DATASETS.fields, *_USED])
_RUNS = StructType(
    [
        *texts("run_id", "state", "started_at", "ended_at", "first_seen", "last_seen").fields,
        StructField("job", _NAMED),
        *_USED,
    ]
)
_FACETS = texts("entity", "namespace", "name", "run_id", "key", "facet", "reported_at", "reported_by")


def mapped_records(
    records: DataFrame, rows: Callable[[Record], Iterator[_Row]], schema: StructType
) -> DataFrame:
    """Return the rows that a function yields for each record."""

    def map_all(batches: Batches) -> Batches:
        arrow = arrow_schema(schema)
        pending: list[_Row] = []
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
    return mapped_records(records.where(sql.col("kind") == "job"), _job, _JOBS)


def _job(record: Record) -> Iterator[_Row]:
    used: dict[str, set[Key]] = {"input": set(), "output": set()}
    for role, _, *dataset in uses_from_json(record.content or ""):
        used[role].add((dataset[0], dataset[1]))
    yield (*_seen(record), *(_all_named(sorted(datasets)) for datasets in used.values()))


def datasets_of(records: DataFrame) -> DataFrame:
    """Return a row for each dataset."""
    return mapped_records(records.where(sql.col("kind") == "dataset"), _dataset, _DATASETS)


def _dataset(record: Record) -> Iterator[_Row]:
    yield _seen(record)


def _seen(record: Record) -> _Row:
    return record.namespace, record.name, time_at(record.first or ""), time_at(record.last or "")


def runs_of(records: DataFrame) -> DataFrame:
    """Return a row for each run."""
    return mapped_records(records.where(sql.col("kind") == "run"), _run, _RUNS)


def _run(row: Record) -> Iterator[_Row]:
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
        _current_facets,
        _FACETS,
    )


def _current_facets(record: Record) -> Iterator[_Row]:
    if record.kind == "run":
        run = run_record(record.content or "")
        yield from _facets_of_run("run", (None, None), record.name, run.facets)
        for role, used in (("input", run.inputs), ("output", run.outputs)):
            for dataset, facets in used.items():
                yield from _facets_of_run(role, dataset, record.name, facets)
    elif not is_tombstone(record.value):
        entity = record.kind.removesuffix(FACET)
        named = entity, record.namespace, record.name, None
        yield *named, record.key, record.value, time_at(record.last or ""), record.source or None


def _facets_of_run(
    entity: str, dataset: tuple[str | None, str | None], run: str, facets: LatestFacets
) -> Iterator[_Row]:
    for key, (sort_key, value) in facets.items():
        yield entity, *dataset, run, key, value, time_at(moment_of(*sort_key)), run


def _text(instant: Instant | None) -> str | None:
    return None if instant is None else timestamp_of(instant).text


def _all_named(keys: list[Key]) -> list[dict[str, str]]:
    return [_named(key) for key in keys]


def _named(key: Key) -> dict[str, str]:
    return {"namespace": key[0], "name": key[1]}
