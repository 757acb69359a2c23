"""Compute the table of runs from records, with the rules of RunRecord."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, LongType, StringType, StructField, StructType

from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    texts,
)
from openlineage_facets.state.instants import Instant, timestamp_of
from openlineage_facets.state.records import RunRecord

__all__ = ["runs_of"]

_NAMED = texts("namespace", "name")

_RUNS = StructType(
    [
        *texts("run_id", "state", "started_at", "ended_at", "first_seen", "last_seen").fields,
        StructField("job", _NAMED),
        StructField("inputs", ArrayType(_NAMED)),
        StructField("outputs", ArrayType(_NAMED)),
        StructField(
            "facets_at",
            StructType([StructField("seconds", LongType()), StructField("fraction", StringType())]),
        ),
    ]
)
_ARROW = arrow_schema(_RUNS)
_PARTS = ("seen", "type", "job", "input", "output")


def runs_of(records: DataFrame) -> DataFrame:
    """Return a row for each run. `facets_at` is the instant whose job and dataset facets apply to it."""
    fields = sql.struct("part", "key", "other_namespace", "other_name", "first", "last")
    by_run = (
        records.where((sql.col("entity") == "run") & sql.col("part").isin(*_PARTS))
        .groupBy("name")
        .agg(sql.collect_list(fields).alias("records"))
    )
    return map_batches(by_run, _read, _RUNS)


def _read(batches: Batches) -> Batches:
    for batch in batches:
        rows = [_row(run.as_py(), _record(rows.as_py())) for run, rows in zip(*batch.columns, strict=True)]
        if rows:
            yield record_batch(_ARROW, [list(column) for column in zip(*rows, strict=True)])


def _record(rows: list[dict[str, Any]]) -> RunRecord:
    record = RunRecord()
    for row in rows:
        dataset = row["other_namespace"], row["other_name"]
        if row["part"] == "seen":
            record.seen = _instant(row["first"]), _instant(row["last"])
        elif row["part"] == "type":
            record.first_of_type[row["key"]] = _instant(row["first"])
        elif row["part"] == "job":
            last = row["last"]
            record.job = (*_instant(last), last["rank"]), (last["value"], last["name"])
        else:
            (record.inputs if row["part"] == "input" else record.outputs)[dataset] = {}
    return record


def _row(run: str, record: RunRecord) -> tuple[Any, ...]:
    assert record.seen is not None
    assert record.job is not None
    end, facets_at = record.end(), record.facets_at()
    return (
        run,
        record.state(),
        _text(record.first_of_type.get("START")),
        None if end is None else _text(end[1]),
        _text(record.seen[0]),
        _text(record.seen[1]),
        _named(record.job[1]),
        [_named(key) for key in sorted(record.inputs)],
        [_named(key) for key in sorted(record.outputs)],
        {"seconds": facets_at[0], "fraction": facets_at[1]},
    )


def _instant(sort_key: dict[str, Any]) -> Instant:
    return sort_key["seconds"], sort_key["fraction"]


def _text(instant: Instant | None) -> str | None:
    return None if instant is None else timestamp_of(instant).text


def _named(key: tuple[str, str]) -> dict[str, str]:
    return {"namespace": key[0], "name": key[1]}
