"""Runs out of what a fold remembers of them: one row each, by the rules of `openlineage_facets.state`."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import ArrayType, LongType, StringType, StructField, StructType

from openlineage_facets.spark.events.arrow import Batches, arrow_schema, map_batches, record_batch, texts
from openlineage_facets.state.moments import Moment, timestamp_of
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
            "moment", StructType([StructField("seconds", LongType()), StructField("fraction", StringType())])
        ),
    ]
)
_ARROW = arrow_schema(_RUNS)
_PARTS = ("seen", "type", "job", "input", "output")


def runs_of(remembered: DataFrame) -> DataFrame:
    """Return a row for each run; `moment` is the one whose facets of job and datasets the run had."""
    said = sql.struct("part", "key", "other_namespace", "other_name", "first", "last")
    records = (
        remembered.where((sql.col("entity") == "run") & sql.col("part").isin(*_PARTS))
        .groupBy("name")
        .agg(sql.collect_list(said).alias("said"))
    )
    return map_batches(records, _read, _RUNS)


def _read(batches: Batches) -> Batches:
    for batch in batches:
        rows = [_row(run.as_py(), _record(said.as_py())) for run, said in zip(*batch.columns, strict=True)]
        if rows:
            yield record_batch(_ARROW, [list(column) for column in zip(*rows, strict=True)])


def _record(said: list[dict[str, Any]]) -> RunRecord:
    record = RunRecord()
    for row in said:
        dataset = row["other_namespace"], row["other_name"]
        if row["part"] == "seen":
            record.seen = _moment(row["first"]), _moment(row["last"])
        elif row["part"] == "type":
            record.first_of_type[row["key"]] = _moment(row["first"])
        elif row["part"] == "job":
            last = row["last"]
            record.job = (*_moment(last), last["rank"]), (last["value"], last["name"])
        else:
            (record.inputs if row["part"] == "input" else record.outputs)[dataset] = {}
    return record


def _row(run: str, record: RunRecord) -> tuple[Any, ...]:
    assert record.seen is not None
    assert record.job is not None
    end, moment = record.end(), record.moment()
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
        {"seconds": moment[0], "fraction": moment[1]},
    )


def _moment(place: dict[str, Any]) -> Moment:
    return place["seconds"], place["fraction"]


def _text(moment: Moment | None) -> str | None:
    return None if moment is None else timestamp_of(moment).text


def _named(key: tuple[str, str]) -> dict[str, str]:
    return {"namespace": key[0], "name": key[1]}
