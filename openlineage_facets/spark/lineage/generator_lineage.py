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

__all__ = ["GeneratedColumns", "generator_lineage"]


class GeneratedColumns(NamedTuple):
    """Lineage of what a generator returns.

    Args:
        columns: The lineage of each column.
        has_fixed_size: Whether the number of rows is the same whatever its arguments are.
    """

    columns: Sequence[Lineage]
    has_fixed_size: bool


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
    reader = _FIXED_SIZES.get(kind)
    columns = None if reader is None else reader(arguments, count)
    if columns is not None and len(columns) == count:
        return GeneratedColumns(columns, has_fixed_size=True)
    return GeneratedColumns([computed_lineage(arguments, "TRANSFORMATION")] * count, has_fixed_size=False)


def _stack(arguments: Sequence[Lineage], count: int) -> Sequence[Lineage]:
    """Return the columns of `stack(rows, value, value, ...)`, whose values are listed row by row."""
    return [merged_lineage(arguments[1 + column :: count]) for column in range(count)]


def _json_tuple(arguments: Sequence[Lineage], count: int) -> Sequence[Lineage]:
    """Return the columns of `json_tuple(text, field, field, ...)`."""
    text, *fields = arguments
    return [computed_lineage([text, field], "TRANSFORMATION") for field in fields]


def _explode(arguments: Sequence[Lineage], count: int) -> Sequence[Lineage] | None:
    """Return the columns of `explode(array(...))`; None for an array or map of unknown length."""
    return arguments[0].members if isinstance(arguments[0], CollectionLineage) else None


def _explode_with_position(arguments: Sequence[Lineage], count: int) -> Sequence[Lineage] | None:
    members = _explode(arguments, count)
    return None if members is None else [NO_LINEAGE, *members]


def _inline(arguments: Sequence[Lineage], count: int) -> Sequence[Lineage] | None:
    members = _explode(arguments, count)
    return members[0].fields if members and isinstance(members[0], StructLineage) else None


_FIXED_SIZES: dict[str, Callable[[Sequence[Lineage], int], Sequence[Lineage] | None]] = {
    "Explode": _explode,
    "Inline": _inline,
    "JsonTuple": _json_tuple,
    "PosExplode": _explode_with_position,
    "Stack": _stack,
}
