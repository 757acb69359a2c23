"""The records of a LineageState as rows, which merge in Spark.

Rows with the same `IDENTITY` merge into one row with the earliest `first` and the latest `last`, in any
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import BooleanType, IntegerType, LongType, StringType, StructField, StructType

from openlineage_facets.base.errors import EventError
from openlineage_facets.base.json_input import json_value
from openlineage_facets.spark.archives.arrow_functions import Batches, arrow_schema, map_batches, texts
from openlineage_facets.state import LineageState
from openlineage_facets.state.instants import timestamp_of
from openlineage_facets.state.typed_facets import is_tombstone

__all__ = ["RECORDS_SCHEMA", "event_records", "merged_records"]

IDENTITY = (
    "entity",
    "namespace",
    "name",
    "part",
    "key",
    "other_namespace",
    "other_name",
    "value",
    "source",
)

_SORT_KEY = [
    StructField("seconds", LongType()),
    StructField("fraction", StringType()),
    StructField("rank", IntegerType()),
    StructField("time", StringType()),
]
_LAST = [
    *_SORT_KEY,
    StructField("value", StringType()),
    StructField("name", StringType()),
    StructField("deleted", BooleanType()),
]

RECORDS_SCHEMA = StructType(
    [
        *texts(*IDENTITY).fields,
        StructField("first", StructType(_SORT_KEY)),
        StructField("last", StructType(_LAST)),
    ]
)
"""The columns.

`entity` is "job", "dataset" or "run". The `name` of a run is its id, its `namespace` is "". `part` is the
kind of the row and defines the other columns:

| part | of | key | other | value | source | last |
| --- | --- | --- | --- | --- | --- | --- |
| seen | all | | | | | |
| facet | jobs, datasets | facet key | | facet | run id, or "" | |
| use | jobs | input, output | dataset | | job or run event | |
| type | runs | event type | | | | (`first` only) |
| job | runs | | | | | with value and name |
| input, output | runs | | dataset | | | |
| facet | runs | facet key | | | | with value |
| input facet, output facet | runs | facet key | dataset | | | with value |

`first` and `last` are sort keys: seconds, fraction digits, rank of the event, and the same as text in `time`.
If only the latest value counts, it is part of `last`. `deleted` marks tombstones of jobs and datasets.
"""

_ARROW = arrow_schema(RECORDS_SCHEMA)

_EVENTS_AT_ONCE = 2000
_BYTES_AT_ONCE = 16 << 20
_ROWS_AT_ONCE = 2000


def event_records(events: DataFrame, column: str, *, null_is_absent: bool = False) -> DataFrame:
    """Return the records of events. Rows that LineageState rejects are ignored."""
    fold = partial(_fold, null_is_absent=null_is_absent)
    return map_batches(events.select(column), fold, RECORDS_SCHEMA)


def merged_records(rows: DataFrame) -> DataFrame:
    """Merge rows with the same identity."""
    return rows.groupBy(*IDENTITY).agg(sql.min("first").alias("first"), sql.max("last").alias("last"))


def _fold(batches: Batches, *, null_is_absent: bool) -> Batches:
    """Fold a partition in chunks, to merge duplicates before the shuffle."""
    state, events, size = LineageState(), 0, 0
    for batch in batches:
        for scalar in batch.column(0):
            text = scalar.as_py()
            if text is None or not _apply(state, text, null_is_absent):
                continue
            events += 1
            size += len(text)
            if events >= _EVENTS_AT_ONCE or size >= _BYTES_AT_ONCE:
                yield from _batches(_rows(state.to_dict()))
                state, events, size = LineageState(), 0, 0
    yield from _batches(_rows(state.to_dict()))


def _apply(state: LineageState, text: bytes | str, null_is_absent: bool) -> bool:
    value = json_value(text if isinstance(text, bytes) else text.encode())
    if not isinstance(value, dict):
        return False
    try:
        state.apply(value, null_is_absent=null_is_absent)
    except EventError:
        return False
    return True


def _batches(rows: Iterable[Row]) -> Batches:
    pending: list[Row] = []
    for row in rows:
        pending.append(row)
        if len(pending) == _ROWS_AT_ONCE:
            yield _batch(pending)
            pending = []
    if pending:
        yield _batch(pending)


def _batch(rows: list[Row]) -> pa.RecordBatch:
    *identity, first, last = zip(*rows, strict=True)
    arrays = [pa.array(column, pa.string()) for column in identity]
    arrays += [_structs(_ARROW.field("first").type, first), _structs(_ARROW.field("last").type, last)]
    return pa.RecordBatch.from_arrays(arrays, schema=_ARROW)


def _structs(kind: pa.StructType, values: tuple[SortKeyFields | None, ...]) -> pa.StructArray:
    """Return structs built by column, three times as fast as row by row."""
    absent = (None,) * kind.num_fields
    columns = zip(*(value or absent for value in values), strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, kind, strict=True)]
    return pa.StructArray.from_arrays(
        arrays, fields=[*kind], mask=pa.array([value is None for value in values])
    )


SortKeyFields: TypeAlias = tuple[Any, ...]
"""The fields of `first` or `last`."""


class Row(NamedTuple):
    """One row with the columns of `RECORDS_SCHEMA`."""

    entity: str
    namespace: str
    name: str
    part: str
    key: str = ""
    other_namespace: str = ""
    other_name: str = ""
    value: str | None = None
    source: str = ""
    first: SortKeyFields | None = None
    last: SortKeyFields | None = None


@lru_cache(maxsize=1024)
def _sort_key(seconds: int, fraction: str, rank: int = 0) -> SortKeyFields:
    """Return an instant, or a sort key with its rank, as fields."""
    return seconds, fraction, rank, timestamp_of((seconds, fraction)).text


def _last(
    sort_key: list[Any], value: str | None = None, name: str | None = None, deleted: bool | None = None
) -> SortKeyFields:
    return (*_sort_key(*sort_key), value, name, deleted)


def _rows(plain: dict[str, Any]) -> Iterator[Row]:
    for entity in ("job", "dataset"):
        for record in plain[f"{entity}s"]:
            yield from _entity_rows(entity, record)
    for record in plain["runs"]:
        yield from _run_rows(record)


def _entity_rows(entity: str, record: dict[str, Any]) -> Iterator[Row]:
    subject = entity, record["namespace"], record["name"]
    yield Row(*subject, "seen", **_span(record["seen"]))
    for key, versions in record["facets"].items():
        for sort_key, source, value in versions:
            last = _last(sort_key, deleted=is_tombstone(value))
            yield Row(
                *subject, "facet", key, value=value, source=source, first=_sort_key(*sort_key), last=last
            )
    for (role, reported_by, namespace, name), span in record.get("uses", ()):
        yield Row(*subject, "use", role, namespace, name, source=reported_by, **_span(span))


def _run_rows(record: dict[str, Any]) -> Iterator[Row]:
    subject = "run", "", record["runId"]
    yield Row(*subject, "seen", **_span(record["seen"]))
    for event_type, instant in record["firstOfType"].items():
        yield Row(*subject, "type", event_type, first=_sort_key(*instant))
    sort_key, namespace, name = record["job"]
    yield Row(*subject, "job", last=_last(sort_key, namespace, name))
    for key, (sort_key, value) in record["facets"].items():
        yield Row(*subject, "facet", key, last=_last(sort_key, value, deleted=False))
    for role in ("input", "output"):
        for namespace, name, facets in record[f"{role}s"]:
            yield Row(*subject, role, "", namespace, name)
            for key, (sort_key, value) in facets.items():
                last = _last(sort_key, value, deleted=False)
                yield Row(*subject, f"{role} facet", key, namespace, name, last=last)


def _span(span: list[list[Any]]) -> dict[str, Any]:
    first, last = span
    return {"first": _sort_key(*first), "last": _last(last)}
