"""What a fold remembers, as rows: the records of `openlineage_facets.state`, taken apart to merge in Spark.

A row says one thing of one job, dataset or run. Rows that agree in `IDENTITY` are the same thing said again:
of those, the earliest `first` and the latest `last` stay, in whatever order they come together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.types import BooleanType, IntegerType, LongType, StringType, StructField, StructType

from openlineage_facets.base.errors import EventError
from openlineage_facets.base.jsontext import json_value
from openlineage_facets.spark.events.arrow import Batches, arrow_schema, map_batches, texts
from openlineage_facets.state import LineageState
from openlineage_facets.state.facets import is_tombstone
from openlineage_facets.state.moments import timestamp_of

__all__ = ["REMEMBERED", "merged", "remembered"]

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

_PLACE = [
    StructField("seconds", LongType()),
    StructField("fraction", StringType()),
    StructField("rank", IntegerType()),
    StructField("time", StringType()),
]
_LAST = [
    *_PLACE,
    StructField("value", StringType()),
    StructField("name", StringType()),
    StructField("deleted", BooleanType()),
]

REMEMBERED = StructType(
    [
        *texts(*IDENTITY).fields,
        StructField("first", StructType(_PLACE)),
        StructField("last", StructType(_LAST)),
    ]
)
"""The columns.

`entity` is "job", "dataset" or "run"; `namespace` is "" for a run, whose id is its `name`. `part` tells what
the row says, and so what the rest of it means:

| part | of | key | other | value | source | last |
| --- | --- | --- | --- | --- | --- | --- |
| seen | all | | | | | |
| facet | jobs, datasets | facet key | | facet | run id, or "" | |
| use | jobs | input, output | dataset | | job or run event | |
| type | runs | event type | | | | (first alone) |
| job | runs | | | | | of value and name |
| input, output | runs | | dataset | | | |
| facet | runs | facet key | | | | of value |
| input facet, output facet | runs | facet key | dataset | | | of value |

`first` and `last` are places in time that compare as they stand: seconds, digits of the fraction, rank of
the event; `time` spells them. Where only the latest value counts, `last` carries it and compares by it, too.
`deleted` says that the value is a tombstone, which there is of jobs and datasets alone.
"""

_ARROW = arrow_schema(REMEMBERED)

_EVENTS_AT_ONCE = 2000
_BYTES_AT_ONCE = 16 << 20
_ROWS_AT_ONCE = 2000


def remembered(events: DataFrame, column: str) -> DataFrame:
    """Return what is to be remembered of events; a row that has no place in a state says nothing."""
    return map_batches(events.select(column), _fold, REMEMBERED)


def merged(rows: DataFrame) -> DataFrame:
    """Return the rows with what is said several times said once."""
    return rows.groupBy(*IDENTITY).agg(sql.min("first").alias("first"), sql.max("last").alias("last"))


def _fold(batches: Batches) -> Batches:
    """Fold a partition by and by, so that what its events say many times is passed on once."""
    state, events, size = LineageState(), 0, 0
    for batch in batches:
        for scalar in batch.column(0):
            text = scalar.as_py()
            if text is None or not _apply(state, text):
                continue
            events += 1
            size += len(text)
            if events >= _EVENTS_AT_ONCE or size >= _BYTES_AT_ONCE:
                yield from _batches(_rows(state.to_dict()))
                state, events, size = LineageState(), 0, 0
    yield from _batches(_rows(state.to_dict()))


def _apply(state: LineageState, text: bytes | str) -> bool:
    value = json_value(text if isinstance(text, bytes) else text.encode())
    if not isinstance(value, dict):
        return False
    try:
        state.apply(value)
    except EventError:
        return False
    return True


def _batches(rows: Iterable[Row]) -> Batches:
    held: list[Row] = []
    for row in rows:
        held.append(row)
        if len(held) == _ROWS_AT_ONCE:
            yield _batch(held)
            held = []
    if held:
        yield _batch(held)


def _batch(rows: list[Row]) -> pa.RecordBatch:
    *identity, first, last = zip(*rows, strict=True)
    arrays = [pa.array(column, pa.string()) for column in identity]
    arrays += [_structs(_ARROW.field("first").type, first), _structs(_ARROW.field("last").type, last)]
    return pa.RecordBatch.from_arrays(arrays, schema=_ARROW)


def _structs(kind: pa.StructType, values: tuple[Place | None, ...]) -> pa.StructArray:
    """Return structs column by column, which is three times as fast as one by one."""
    absent = (None,) * kind.num_fields
    columns = zip(*(value or absent for value in values), strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, kind, strict=True)]
    return pa.StructArray.from_arrays(
        arrays, fields=[*kind], mask=pa.array([value is None for value in values])
    )


Place: TypeAlias = tuple[Any, ...]
"""A place in time, as the fields of `first` or `last` have it."""


class Row(NamedTuple):
    """One row; the fields are the columns of `REMEMBERED`."""

    entity: str
    namespace: str
    name: str
    part: str
    key: str = ""
    other_namespace: str = ""
    other_name: str = ""
    value: str | None = None
    source: str = ""
    first: Place | None = None
    last: Place | None = None


@lru_cache(maxsize=1024)
def _place(seconds: int, fraction: str, rank: int = 0) -> Place:
    """Spell a place in time: a moment, or the order of a statement, which has a rank besides."""
    return seconds, fraction, rank, timestamp_of((seconds, fraction)).text


def _last(
    order: list[Any], value: str | None = None, name: str | None = None, deleted: bool | None = None
) -> Place:
    return (*_place(*order), value, name, deleted)


def _rows(plain: dict[str, Any]) -> Iterator[Row]:
    for entity in ("job", "dataset"):
        for record in plain[f"{entity}s"]:
            yield from _entity_rows(entity, record)
    for record in plain["runs"]:
        yield from _run_rows(record)


def _entity_rows(entity: str, record: dict[str, Any]) -> Iterator[Row]:
    subject = entity, record["namespace"], record["name"]
    yield Row(*subject, "seen", **_span(record["seen"]))
    for key, statements in record["facets"].items():
        for order, source, value in statements:
            last = _last(order, deleted=is_tombstone(value))
            yield Row(*subject, "facet", key, value=value, source=source, first=_place(*order), last=last)
    for (role, stated_by, namespace, name), span in record.get("uses", ()):
        yield Row(*subject, "use", role, namespace, name, source=stated_by, **_span(span))


def _run_rows(record: dict[str, Any]) -> Iterator[Row]:
    subject = "run", "", record["runId"]
    yield Row(*subject, "seen", **_span(record["seen"]))
    for event_type, moment in record["firstOfType"].items():
        yield Row(*subject, "type", event_type, first=_place(*moment))
    order, namespace, name = record["job"]
    yield Row(*subject, "job", last=_last(order, namespace, name))
    for key, (order, value) in record["facets"].items():
        yield Row(*subject, "facet", key, last=_last(order, value, deleted=False))
    for role in ("input", "output"):
        for namespace, name, facets in record[f"{role}s"]:
            yield Row(*subject, role, "", namespace, name)
            for key, (order, value) in facets.items():
                last = _last(order, value, deleted=False)
                yield Row(*subject, f"{role} facet", key, namespace, name, last=last)


def _span(span: list[list[Any]]) -> dict[str, Any]:
    first, last = span
    return {"first": _place(*first), "last": _last(last)}
