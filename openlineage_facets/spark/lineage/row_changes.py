"""Convert MERGE, UPDATE and DELETE into a query of the values that they write.

Spark rewrites these statements for tables such as Iceberg's, while Delta has its own commands. In both cases
the assignments of a clause become a projection of the table, or of its join with the source, filtered by the
condition of the clause. Unchanged columns and rows are not part of the query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from openlineage_facets.spark.analyzed_plan import (
    Expression,
    Node,
    attributes,
    class_name,
    operands,
    parse_plan,
)

_OPERATION = "__row_operation"
_LITERAL: Expression = [{"class": "expressions.Literal", "num-children": 0}]


@dataclass(frozen=True)
class RowChanges:
    """The rows that a statement changes.

    Args:
        query: The query that returns the written values.
        written: The expression id of each written column of the table, by name.
        table: The expression id of the table's first column, which identifies it in a plan.
    """

    query: Node
    written: dict[str, int]
    table: int


def row_changes(plan: Node) -> RowChanges | None:
    """Return the row changes of a statement; None if it reads no rows or is not MERGE, UPDATE or DELETE."""
    converter = _CONVERTERS.get(plan.kind)
    return None if converter is None or _is_delete_without_condition(plan) else converter(plan)


def _is_delete_without_condition(plan: Node) -> bool:
    if not plan.kind.startswith("Delete"):
        return False
    conditions = plan.expressions("condition")
    return all(class_name(condition[0]) == "Literal" for condition in conditions)


def _from_rewritten_statement(plan: Node) -> RowChanges:
    """Convert a statement that Spark has rewritten as a query."""
    table = attributes(parse_plan(plan.fields["table"]).expressions("output"))
    query = _without_operation(plan.children[0])
    if query.kind == "Union":  # The updated rows and the unchanged rows of the same files.
        query = query.children[0]
    if query.kind == "MergeRows":
        query = _query_of_merge_rows(query)
    elif query.kind == "Project":
        query = _query_of_update(query)
    return _new_row_changes(query, table)


def _from_delete(plan: Node) -> RowChanges:
    return _filtered_target(plan, plan.children[0])


def _from_delta_delete(plan: Node) -> RowChanges:
    return _filtered_target(plan, parse_plan(plan.fields["target"]))


def _filtered_target(plan: Node, target: Node) -> RowChanges:
    query = Node("Filter", {"condition": plan.fields.get("condition")}, [target])
    return _new_row_changes(query, _output(target))


def _from_delta_update(plan: Node) -> RowChanges:
    target = parse_plan(plan.fields["target"])
    table = _output(target)
    values = dict(zip((name for _, name in table), plan.expressions("updateExpressions"), strict=False))
    return _new_row_changes(_assignments(values, table, plan.expressions("condition"), target), table)


def _from_delta_merge(plan: Node) -> RowChanges:
    target, source = parse_plan(plan.fields["target"]), parse_plan(plan.fields["source"])
    table = _output(target)
    joined = Node("Join", {"condition": plan.fields["condition"]}, [target, source])
    clauses = [
        clause
        for name in ("matchedClauses", "notMatchedClauses", "notMatchedBySourceClauses")
        for clause in plan.expressions(name)
    ]
    values = [
        {
            _first_part(action[0]["targetColNameParts"]): action[1:]
            for action in operands(clause)
            if class_name(action[0]) == "DeltaMergeAction"
        }
        for clause in clauses
    ]
    table += _added_columns(values, table)
    branches = []
    for clause, assigned in zip(clauses, values, strict=True):
        conditions = [clause[0]["condition"]] if clause[0].get("condition") else []
        branches.append(_assignments(assigned, table, conditions, joined))
    return _new_row_changes(_union(branches, joined), table)


def _added_columns(
    values: Iterable[dict[str, Expression]], table: list[tuple[int, str]]
) -> list[tuple[int, str]]:
    """Return the columns that a MERGE with schema evolution adds to its table, with ids of their own."""
    known = {name.lower() for _, name in table}
    added = dict.fromkeys(name for assigned in values for name in assigned if name.lower() not in known)
    return [(-number, name) for number, name in enumerate(added, 1)]


def _query_of_merge_rows(node: Node) -> Node:
    """Return the query of a MergeRows: each instruction becomes a filtered projection of the join."""
    columns = attributes(node.expressions("output"))
    names = [name for _, name in columns]
    branches = []
    for field in ("matchedInstructions", "notMatchedInstructions", "notMatchedBySourceInstructions"):
        for instruction in node.expressions(field):
            parts = operands(instruction)
            condition = parts[instruction[0]["condition"]]
            outputs = [
                instruction[0][output] for output in ("output", "otherOutput") if output in instruction[0]
            ]
            for indexes in outputs or [[]]:
                values = dict(zip(names, (parts[index] for index in indexes), strict=False))
                branches.append(_assignments(values, columns, [condition], node.children[0]))
    return _union(branches, node.children[0])


def _query_of_update(node: Node) -> Node:
    """Return the query of an UPDATE whose columns are `if (condition) new_value else column`."""
    columns = attributes(node.expressions("projectList"))
    values, conditions = {}, []
    for (_, name), expression in zip(columns, node.expressions("projectList"), strict=True):
        value = expression[1:] if class_name(expression[0]) == "Alias" else expression
        if class_name(value[0]) == "If":
            condition, value, _ = operands(value)
            conditions = [condition]
        values[name] = value
    return _assignments(values, columns, conditions, node.children[0])


def _assignments(
    values: dict[str, Expression], columns: list[tuple[int, str]], conditions: list[Expression], child: Node
) -> Node:
    """Return the query that assigns values to columns in rows that match the conditions."""
    projected = [[_alias(identity, name), *(values.get(name) or _LITERAL)] for identity, name in columns]
    filtered = Node("Filter", {"condition": conditions}, [child]) if conditions else child
    return Node("Project", {"projectList": projected}, [filtered])


def _alias(identity: int, name: str) -> dict[str, Any]:
    return {"class": "expressions.Alias", "num-children": 1, "name": name, "exprId": {"id": identity}}


def _union(branches: list[Node], default: Node) -> Node:
    return Node("Union", {}, branches) if branches else default


def _new_row_changes(query: Node, table: list[tuple[int, str]]) -> RowChanges:
    names = {name for _, name in table}
    written = {name: identity for identity, name in _output(query) if name in names}
    return RowChanges(query, written, table[0][0])


def _output(node: Node) -> list[tuple[int, str]]:
    """Return id and name of the columns of a plan, which may be those of its first child."""
    while True:
        for field in ("projectList", "output"):
            columns = attributes(node.expressions(field))
            if columns:
                return columns
        node = node.children[0]


def _without_operation(node: Node) -> Node:
    """Remove the projection that only adds the operation of each row."""
    if node.kind != "Project" or node.children[0].kind in ("DataSourceV2Relation", "Join"):
        return node
    first = attributes(node.expressions("projectList")[:1])
    return node.children[0] if first and first[0][1] == _OPERATION else node


def _first_part(parts: Any) -> str:
    """Return the column of a multipart name, which Spark may write as text such as `[address, city]`."""
    if isinstance(parts, str):
        return parts[1:-1].partition(", ")[0]
    return str(parts[0])


_CONVERTERS: dict[str, Callable[[Node], RowChanges]] = {
    "ReplaceData": _from_rewritten_statement,
    "WriteDelta": _from_rewritten_statement,
    "DeleteFromTable": _from_delete,
    "MergeIntoCommand": _from_delta_merge,
    "UpdateCommand": _from_delta_update,
    "DeleteCommand": _from_delta_delete,
}
