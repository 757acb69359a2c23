"""Lineage of generators: functions that return several columns or rows for each row, such as `explode`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from openlineage_facets.spark.lineage.value_lineage import (
    NO_LINEAGE,
    CollectionLineage,
    Lineage,
    StructLineage,
    computed_lineage,
    merged_lineage,
)


class GeneratedColumns(NamedTuple):
    """Lineage of what a generator returns.

    Args:
        columns: The lineage of each column.
        size: The lineage of the number of rows; empty if it is the same whatever the arguments are.
    """

    columns: Sequence[Lineage]
    size: Lineage = NO_LINEAGE


def generator_lineage(kind: str, arguments: Sequence[Lineage], count: int) -> GeneratedColumns:
    """Return the lineage of what a generator returns.

    Args:
        kind: The class of the generator.
        arguments: The lineage of its arguments.
        count: The number of columns that it returns.

    Example:
        >>> generator_lineage("Stack", [rows, kind, amount, kind, discount], 2).columns
        [merged_lineage([kind, kind]), merged_lineage([amount, discount])]
    """
    reader = _READERS.get(kind)
    generated = None if reader is None else reader(arguments, count)
    if generated is not None and len(generated.columns) == count:
        return generated
    computed = computed_lineage(arguments, "TRANSFORMATION")
    return GeneratedColumns([computed] * count, merged_lineage(arguments))


def _stack(arguments: Sequence[Lineage], count: int) -> GeneratedColumns:
    """Return the columns of `stack(rows, value, value, ...)`, whose values are listed row by row."""
    return GeneratedColumns([merged_lineage(arguments[1 + column :: count]) for column in range(count)])


def _json_tuple(arguments: Sequence[Lineage], count: int) -> GeneratedColumns:
    """Return the columns of `json_tuple(text, field, field, ...)`."""
    text, *fields = arguments
    return GeneratedColumns([computed_lineage([text, field], "TRANSFORMATION") for field in fields])


def _explode(arguments: Sequence[Lineage], count: int) -> GeneratedColumns | None:
    """Return the columns of `explode(array(...))`; None for an array or map that is not created so."""
    created = arguments[0]
    return GeneratedColumns(created.members, created.size) if isinstance(created, CollectionLineage) else None


def _explode_with_position(arguments: Sequence[Lineage], count: int) -> GeneratedColumns | None:
    exploded = _explode(arguments, count)
    if exploded is None:
        return None
    return exploded._replace(columns=[computed_lineage([exploded.size], "TRANSFORMATION"), *exploded.columns])


def _inline(arguments: Sequence[Lineage], count: int) -> GeneratedColumns | None:
    exploded = _explode(arguments, count)
    if exploded is None or not isinstance(exploded.columns[0], StructLineage):
        return None
    return exploded._replace(columns=exploded.columns[0].fields)


_READERS: dict[str, Callable[[Sequence[Lineage], int], GeneratedColumns | None]] = {
    "Explode": _explode,
    "Inline": _inline,
    "JsonTuple": _json_tuple,
    "PosExplode": _explode_with_position,
    "Stack": _stack,
}
