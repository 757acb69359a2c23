"""Lineage of expressions and of generators from that of the columns to which they refer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from openlineage_facets.spark.analyzed_plan import Expression, class_name
from openlineage_facets.spark.lineage.value_lineage import (
    NO_LINEAGE,
    CollectionLineage,
    Lineage,
    StructLineage,
    computed_lineage,
    indirect_lineage,
    merged_lineage,
)


class GeneratorOutput(NamedTuple):
    """Lineage of what a generator returns.

    Args:
        columns: The lineage of each column.
        size: The lineage of the number of rows; empty if it is the same whatever the arguments are.
    """

    columns: Sequence[Lineage]
    size: Lineage = NO_LINEAGE


def generator_lineage(kind: str, arguments: Sequence[Lineage], count: int) -> GeneratorOutput:
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
    return GeneratorOutput([computed] * count, merged_lineage(arguments))


def _stack(arguments: Sequence[Lineage], count: int) -> GeneratorOutput:
    """Return the columns of `stack(rows, value, value, ...)`, whose values are listed row by row."""
    return GeneratorOutput([merged_lineage(arguments[1 + column :: count]) for column in range(count)])


def _json_tuple(arguments: Sequence[Lineage], count: int) -> GeneratorOutput:
    """Return the columns of `json_tuple(text, field, field, ...)`."""
    text, *fields = arguments
    return GeneratorOutput([computed_lineage([text, field], "TRANSFORMATION") for field in fields])


def _explode(arguments: Sequence[Lineage], count: int) -> GeneratorOutput | None:
    """Return the columns of `explode(array(...))`; None for an array or map that is not created so."""
    created = arguments[0]
    return GeneratorOutput(created.members, created.size) if isinstance(created, CollectionLineage) else None


def _explode_with_position(arguments: Sequence[Lineage], count: int) -> GeneratorOutput | None:
    exploded = _explode(arguments, count)
    if exploded is None:
        return None
    return exploded._replace(columns=[computed_lineage([exploded.size], "TRANSFORMATION"), *exploded.columns])


def _inline(arguments: Sequence[Lineage], count: int) -> GeneratorOutput | None:
    exploded = _explode(arguments, count)
    if exploded is None or not isinstance(exploded.columns[0], StructLineage):
        return None
    return exploded._replace(columns=exploded.columns[0].fields)


_READERS: dict[str, Callable[[Sequence[Lineage], int], GeneratorOutput | None]] = {
    "Explode": _explode,
    "Inline": _inline,
    "JsonTuple": _json_tuple,
    "PosExplode": _explode_with_position,
    "Stack": _stack,
}


SubqueryLineage: TypeAlias = Callable[[str, list[dict[str, Any]]], tuple[list[Lineage], Lineage]]
"""Returns the lineage of a subquery's values and of its rows, by kind of subquery and plan."""


class _Operand(NamedTuple):
    """An operand of an expression: its node in the plan, its lineage, and its type if the plan shows it."""

    node: dict[str, Any]
    lineage: Lineage
    data_type: Any


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
    "CountMinSketchAgg",
    "HllSketchAgg",
    "HyperLogLogPlusPlus",
    "RegrCount",
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
    expression: Expression, columns: Mapping[int, Lineage], subquery_lineage: SubqueryLineage
) -> Lineage:
    """Return the lineage of an expression.

    Args:
        expression: The expression.
        columns: The lineage of every column that it may refer to, by expression id.
        subquery_lineage: Returns the lineage of a subquery's values and of its rows, by kind (`Exists`,
            `ListQuery`, `ScalarSubquery`) and plan.
    """
    if len(expression) == 1 and class_name(expression[0]) == "AttributeReference":  # The most frequent case.
        return columns.get(expression[0]["exprId"]["id"], NO_LINEAGE)
    stack: list[_Operand] = []
    for node in reversed(expression):
        operands = [stack.pop() for _ in range(node["num-children"])]
        if len(operands) == 1 and _is_cast_to_same_type(node, operands[0].node):
            lineage = operands[0].lineage
        else:
            lineage = _node_lineage(node, operands, columns, subquery_lineage)
        stack.append(_Operand(node, lineage, _type_of(node, operands)))
    return stack[0].lineage


def _type_of(node: dict[str, Any], operands: list[_Operand]) -> Any:
    """Return the type of a column or of a field of a struct, in Spark's JSON form; None if it is unknown."""
    if class_name(node) == "GetStructField":
        fields = _fields_of(operands[0].data_type)
        return fields[int(node["ordinal"])]["type"] if fields else None
    return node.get("dataType")


def _fields_of(data_type: Any) -> list[dict[str, Any]]:
    """Return the fields of a struct; empty for other types."""
    fields: list[dict[str, Any]] = data_type.get("fields", []) if isinstance(data_type, dict) else []
    return fields


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
    if kind == "CreateArray":
        return CollectionLineage([merged_lineage(children)])
    if kind == "ArrayRepeat":
        return CollectionLineage(children[:1], children[1])
    if kind == "CreateMap":  # Its children are keys and values in turn.
        return CollectionLineage([merged_lineage(children[::2]), merged_lineage(children[1::2])])
    if kind == "GetStructField" and isinstance(children[0], StructLineage):
        return children[0].fields[int(node["ordinal"])]
    if kind == "UpdateFields":
        struct = _as_struct(operands[0])
        if struct is not None:
            return _updated(struct, operands[1:])
    return operator_lineage(kind, children)


def _as_struct(operand: _Operand) -> StructLineage | None:
    """Return a struct with the lineage of each field; None if its fields are unknown.

    A field of a struct that the plan has not created is a member of a column.
    """
    if isinstance(operand.lineage, StructLineage):
        return operand.lineage
    return _struct_of_member(
        _fields_of(operand.data_type), computed_lineage([operand.lineage], "TRANSFORMATION")
    )


def _struct_of_member(fields: list[dict[str, Any]], member: Lineage) -> StructLineage | None:
    """Return a struct whose fields, also the nested ones, have the same lineage; None without fields."""
    if not fields:
        return None
    members = [_struct_of_member(_fields_of(field["type"]), member) or member for field in fields]
    return StructLineage([str(field["name"]) for field in fields], members)


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
