"""From which columns an expression takes its value, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from openlineage_facets.spark.plan_tree import Expression, class_name

__all__ = ["DIRECT", "Column", "Effect", "Lineage", "lineage_of", "merged", "steering"]

Column: TypeAlias = tuple[int, str]
"""A column of a source: the number of the source, and the name."""


class Effect(NamedTuple):
    """One way in which a column affects a value.

    Args:
        type: DIRECT where the value is made of it, INDIRECT where it is only steered by it.
        subtype: The finer kind.
        masking: Whether the original can't be seen in the value.
    """

    type: str
    subtype: str
    masking: bool = False


Lineage: TypeAlias = Mapping[Column, frozenset[Effect]]
"""The columns that affect a value, and how."""

DIRECT = frozenset({Effect("DIRECT", "IDENTITY")})
NONE: Lineage = {}

_RANK = {"IDENTITY": 0, "TRANSFORMATION": 1, "AGGREGATION": 2}

_UNCHANGED = {
    "Alias",
    "AttributeReference",
    "OuterReference",
    "PromotePrecision",
    "KnownNotNull",
    "KnownNullable",
}
_CASTS = {"Cast", "UpCast"}
_MASKING = {
    "Count",
    "CountIf",
    "HyperLogLogPlusPlus",
    "Md5",
    "Sha1",
    "Sha2",
    "Crc32",
    "Murmur3Hash",
    "XxHash64",
    "HiveHash",
    "CollationAwareMurmur3Hash",
    "CollationAwareXxHash64",
    "Mask",
}
"""Expressions whose value does not show the original: hashes, counts and masks."""

_ORDER_ONLY = {"Rank", "DenseRank", "PercentRank"}
"""Window functions whose children are the order that they rank by."""


def lineage_of(
    expression: Expression,
    columns: Mapping[int, Lineage],
    subquery: Callable[[list[dict[str, Any]]], tuple[list[Lineage], Lineage]],
) -> Lineage:
    """Return the columns that an expression takes its value from.

    Args:
        expression: The expression.
        columns: The lineage of each column that it may refer to, by id.
        subquery: Gives the lineage of each column of a plan inside the expression, and what steers its rows.
    """
    if len(expression) == 1 and "exprId" in expression[0]:  # a column as it is, by far the most frequent
        return columns.get(expression[0]["exprId"]["id"], NONE)
    waiting: list[Lineage] = []
    below: dict[str, Any] = {}
    for fields in reversed(expression):
        children = [waiting.pop() for _ in range(fields["num-children"])]
        if len(children) == 1 and _keeps_type(fields, below):
            waiting += children
        else:
            waiting.append(_value(fields, children, columns, subquery))
        below = fields
    return waiting[0]


def _keeps_type(fields: dict[str, Any], child: dict[str, Any]) -> bool:
    """Tell whether an expression is a cast to the type that its child has, as Spark lays over SQL views."""
    kept = fields.get("dataType")
    return kept is not None and kept == child.get("dataType") and class_name(fields) in _CASTS


def _value(
    fields: dict[str, Any],
    children: list[Lineage],
    columns: Mapping[int, Lineage],
    subquery: Callable[[list[dict[str, Any]]], tuple[list[Lineage], Lineage]],
) -> Lineage:
    kind = class_name(fields)
    if kind == "AttributeReference":
        return columns.get(fields["exprId"]["id"], NONE)
    if kind == "OuterReference":
        return lineage_of(fields["e"], columns, subquery)
    if isinstance(fields.get("plan"), list):
        made, steered = subquery(fields["plan"])
        direct = [] if kind == "Exists" else made
        steers = [steered, *children] if kind != "Exists" else [steered, *made, *children]
        return merged([made_of(direct, "TRANSFORMATION"), *(steering([steer], "FILTER") for steer in steers)])
    if not children:
        return NONE
    if kind in _UNCHANGED:
        return children[0]
    if kind == "If":
        return merged([steering(children[:1], "CONDITIONAL"), made_of(children[1:], "TRANSFORMATION")])
    if kind == "CaseWhen":
        last = len(children) - len(children) % 2
        conditions, values = children[:last:2], [*children[1:last:2], *children[last:]]
        return merged([steering(conditions, "CONDITIONAL"), made_of(values, "TRANSFORMATION")])
    if kind == "AggregateExpression":
        return merged([made_of(children[:1], "AGGREGATION"), steering(children[1:], "FILTER")])
    if kind == "WindowExpression":
        return merged([children[0], steering(children[1:], "WINDOW")])
    if kind in _ORDER_ONLY:
        return steering(children, "WINDOW")
    return made_of(children, "TRANSFORMATION", kind in _MASKING)


def made_of(lineages: Iterable[Lineage], subtype: str, masking: bool = False) -> Lineage:
    """Return the lineage of a value that is computed from others."""
    made = merged(lineages)
    return {
        column: frozenset(_through(effect, subtype, masking) for effect in effects)
        for column, effects in made.items()
    }


def steering(lineages: Iterable[Lineage], subtype: str) -> Lineage:
    """Return the lineage of what is only steered by some values."""
    indirect = frozenset({Effect("INDIRECT", subtype)})
    return dict.fromkeys(merged(lineages), indirect)


def merged(lineages: Iterable[Lineage]) -> Lineage:
    """Return the lineage of what several values are put together to."""
    present = [lineage for lineage in lineages if lineage]
    if len(present) < 2:
        return present[0] if present else NONE
    together: dict[Column, frozenset[Effect]] = {}
    for lineage in present:
        for column, effects in lineage.items():
            together[column] = together[column] | effects if column in together else effects
    return together


def _through(effect: Effect, subtype: str, masking: bool) -> Effect:
    """Return an effect after one more computation: an aggregation stays one, whatever follows."""
    if effect.type != "DIRECT":
        return effect
    strongest = max(effect.subtype, subtype, key=_RANK.__getitem__)
    return Effect("DIRECT", strongest, effect.masking or masking)
