"""Lineage of expressions: the columns that affect a value, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from openlineage_facets.spark.plans.plan_tree import Expression, class_name

__all__ = [
    "IDENTITY",
    "NO_LINEAGE",
    "Column",
    "Effect",
    "Lineage",
    "computed_lineage",
    "expression_lineage",
    "indirect_lineage",
    "merged_lineage",
    "operator_lineage",
]

Column: TypeAlias = tuple[int, str]
"""A column of a source: the number of the source and the name."""


class Effect(NamedTuple):
    """How a column affects a value.

    Args:
        type: DIRECT if the value is computed from it, INDIRECT if it only influences the value.
        subtype: The transformation subtype, such as IDENTITY or FILTER.
        masking: Whether the value hides the original.
    """

    type: str
    subtype: str
    masking: bool = False


Lineage: TypeAlias = Mapping[Column, frozenset[Effect]]
"""The columns that affect a value, and how."""


class StructLineage(dict[Column, frozenset[Effect]]):
    """The lineage of a struct that the plan creates from other values.

    Args:
        names: The name of each field.
        fields: The lineage of each field.
    """

    def __init__(self, names: Sequence[str], fields: Sequence[Lineage]) -> None:
        super().__init__(computed_lineage(fields, "TRANSFORMATION"))
        self.names = names
        self.fields = fields

    def with_field(self, name: str, value: Lineage) -> StructLineage:
        """Return the struct with another value of a field, at the end if it is new."""
        if not any(_is_same_name(name, other) for other in self.names):
            return StructLineage([*self.names, name], [*self.fields, value])
        fields = [
            value if _is_same_name(name, other) else field
            for other, field in zip(self.names, self.fields, strict=True)
        ]
        return StructLineage(self.names, fields)

    def without_field(self, name: str) -> StructLineage:
        """Return the struct without a field."""
        kept = [number for number, other in enumerate(self.names) if not _is_same_name(name, other)]
        return StructLineage(
            [self.names[number] for number in kept], [self.fields[number] for number in kept]
        )


def _is_same_name(name: str, other: str) -> bool:
    """Return whether two names are those of the same field in Spark's default setting."""
    return name.lower() == other.lower()


SubqueryLineage: TypeAlias = Callable[[str, list[dict[str, Any]]], tuple[list[Lineage], Lineage]]
"""Returns the lineage of a subquery's values and of its rows, by kind of subquery and plan."""


class _Operand(NamedTuple):
    """An operand of an expression: its node in the plan, and its lineage."""

    node: dict[str, Any]
    lineage: Lineage


IDENTITY = frozenset({Effect("DIRECT", "IDENTITY")})
NO_LINEAGE: Lineage = {}

_RANK = {"IDENTITY": 0, "TRANSFORMATION": 1, "AGGREGATION": 2}

_UNCHANGED = {
    "Alias",
    "AttributeReference",
    "OuterReference",
    "PromotePrecision",
    "KnownNotNull",
    "KnownNullable",
    "WithField",
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
"""Expressions that hide the original value: hashes, counts and masks."""

_RANKING = {"Rank", "DenseRank", "PercentRank"}
"""Window functions whose children are the ordering columns."""


def expression_lineage(
    expression: Expression,
    columns: Mapping[int, Lineage],
    subquery_lineage: SubqueryLineage,
) -> Lineage:
    """Return the lineage of an expression.

    Args:
        expression: The expression.
        columns: The lineage of every column that it may refer to, by expression id.
        subquery_lineage: Returns the lineage of a subquery's values and of its rows, by kind (`Exists`,
            `ListQuery`, `ScalarSubquery`) and plan.
    """
    if len(expression) == 1 and "exprId" in expression[0]:  # By far the most frequent case: a column.
        return columns.get(expression[0]["exprId"]["id"], NO_LINEAGE)
    stack: list[_Operand] = []
    for node in reversed(expression):
        operands = [stack.pop() for _ in range(node["num-children"])]
        if len(operands) == 1 and _is_cast_to_same_type(node, operands[0].node):
            lineage = operands[0].lineage
        else:
            lineage = _node_lineage(node, operands, columns, subquery_lineage)
        stack.append(_Operand(node, lineage))
    return stack[0].lineage


def _is_cast_to_same_type(node: dict[str, Any], child: dict[str, Any]) -> bool:
    """Return whether an expression is a cast without effect, as Spark adds them in SQL views."""
    data_type = node.get("dataType")
    return data_type is not None and data_type == child.get("dataType") and class_name(node) in _CASTS


def _node_lineage(
    node: dict[str, Any],
    operands: list[_Operand],
    columns: Mapping[int, Lineage],
    subquery_lineage: SubqueryLineage,
) -> Lineage:
    kind = class_name(node)
    if kind == "AttributeReference":
        return columns.get(node["exprId"]["id"], NO_LINEAGE)
    if kind in ("OuterReference", "OuterScopeReference"):
        return expression_lineage(node["e"], columns, subquery_lineage)
    if isinstance(node.get("plan"), list):
        # The children are outer references, which are also part of the plan.
        values, row_lineage = subquery_lineage(kind, node["plan"])
        return merged_lineage(
            [computed_lineage(values, "TRANSFORMATION"), indirect_lineage([row_lineage], "FILTER")]
        )
    children = [operand.lineage for operand in operands]
    if kind == "CreateNamedStruct":  # Its children are names and values in turn.
        return StructLineage([str(name.node.get("value")) for name in operands[::2]], children[1::2])
    if children and isinstance(children[0], StructLineage):
        if kind == "GetStructField":
            return children[0].fields[int(node["ordinal"])]
        if kind == "UpdateFields":
            return _updated(children[0], operands[1:])
    return operator_lineage(kind, children)


def _updated(struct: StructLineage, changes: list[_Operand]) -> StructLineage:
    """Return a struct after `withField` and `dropFields`."""
    for change in changes:
        name = str(change.node["name"])
        is_dropped = class_name(change.node) == "DropField"
        struct = struct.without_field(name) if is_dropped else struct.with_field(name, change.lineage)
    return struct


def operator_lineage(kind: str, children: list[Lineage]) -> Lineage:
    """Return the lineage of an expression from that of its children.

    Args:
        kind: The class of the expression.
        children: The lineage of its children.
    """
    if not children:
        return NO_LINEAGE
    if kind in _UNCHANGED:
        return children[0]
    if kind == "If":
        return _conditional(children[:1], children[1:])
    if kind == "CaseWhen":
        branches_end = len(children) - len(children) % 2
        return _conditional(
            children[:branches_end:2], [*children[1:branches_end:2], *children[branches_end:]]
        )
    if kind == "PivotFirst":
        return merged_lineage([indirect_lineage(children[:1], "CONDITIONAL"), *children[1:]])
    if kind == "AggregateExpression":
        return merged_lineage(
            [computed_lineage(children[:1], "AGGREGATION"), indirect_lineage(children[1:], "FILTER")]
        )
    if kind == "WindowExpression":
        return merged_lineage([children[0], indirect_lineage(children[1:], "WINDOW")])
    if kind in _RANKING:
        return indirect_lineage(children, "WINDOW")
    return computed_lineage(children, "TRANSFORMATION", kind in _MASKING)


def _conditional(conditions: list[Lineage], values: list[Lineage]) -> Lineage:
    return merged_lineage(
        [indirect_lineage(conditions, "CONDITIONAL"), computed_lineage(values, "TRANSFORMATION")]
    )


def computed_lineage(lineages: Iterable[Lineage], subtype: str, masking: bool = False) -> Lineage:
    """Return the lineage of a value that is computed from other values."""
    return {
        column: frozenset(_after_computation(effect, subtype, masking) for effect in effects)
        for column, effects in merged_lineage(lineages).items()
    }


def indirect_lineage(lineages: Iterable[Lineage], subtype: str) -> Lineage:
    """Return the lineage of a value that other values only influence."""
    indirect = frozenset({Effect("INDIRECT", subtype)})
    return dict.fromkeys(merged_lineage(lineages), indirect)


def merged_lineage(lineages: Iterable[Lineage]) -> Lineage:
    """Return the union of several lineages."""
    present = [lineage for lineage in lineages if lineage]
    if len(present) < 2:
        return present[0] if present else NO_LINEAGE
    structs = [lineage for lineage in present if isinstance(lineage, StructLineage)]
    if len(structs) == len(present) and len({len(struct.fields) for struct in structs}) == 1:
        fields = [merged_lineage(values) for values in zip(*(one.fields for one in structs), strict=True)]
        return StructLineage(structs[0].names, fields)
    merged: dict[Column, frozenset[Effect]] = {}
    for lineage in present:
        for column, effects in lineage.items():
            merged[column] = merged[column] | effects if column in merged else effects
    return merged


def _after_computation(effect: Effect, subtype: str, masking: bool) -> Effect:
    """Return an effect after another computation. An aggregation remains one."""
    if effect.type != "DIRECT":
        return effect
    strongest = max(effect.subtype, subtype, key=_RANK.__getitem__)
    return Effect("DIRECT", strongest, effect.masking or masking)
