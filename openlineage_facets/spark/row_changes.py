"""MERGE, UPDATE and DELETE, told as the query of the rows that they write.

Spark rewrites these statements for tables such as Iceberg's, and Delta has commands of its own for them.
Either way, what is assigned in a clause is a projection of the rows that its condition lets through, of the
table or of its join with the source. What is left as it was is no part of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from openlineage_facets.spark.plan_tree import (
    Expression,
    Node,
    attributes,
    class_name,
    operands,
    read_tree,
)

__all__ = ["RowChanges", "row_changes"]

_OPERATION = "__row_operation"
_LITERAL: Expression = [{"class": "expressions.Literal", "num-children": 0}]


@dataclass(frozen=True)
class RowChanges:
    """What a statement does to rows of a table.

    Args:
        query: What gives the rows that it writes.
        written: The id of each column of the query that is one of the table's, by name.
        table: The id of the table's first column, by which a plan knows it.
    """

    query: Node
    written: dict[str, int]
    table: int


def row_changes(plan: Node) -> RowChanges | None:
    """Return what a statement does to rows of a table; None if it reads none, or is of another kind."""
    reader = _READERS.get(plan.kind)
    return None if reader is None or _is_for_all_rows(plan) else reader(plan)


def _is_for_all_rows(plan: Node) -> bool:
    """Tell whether a statement is a DELETE without a condition."""
    if not plan.kind.startswith("Delete"):
        return False
    conditions = plan.expressions("condition")
    return all(class_name(condition[0]) == "Literal" for condition in conditions)


def _rewritten(plan: Node) -> RowChanges:
    """Return what a statement does that Spark has made a query of."""
    table = attributes(read_tree(plan.fields["table"]).expressions("output"))
    query = _without_operation(plan.children[0])
    if query.kind == "Union":  # the rows that are updated, and the rest of their files
        query = query.children[0]
    if query.kind == "MergeRows":
        query = _merge_rows(query)
    elif query.kind == "Project":
        query = _update(query)
    return _of(query, table)


def _delete_from_table(plan: Node) -> RowChanges:
    target = plan.children[0]
    return _of(Node("Filter", {"condition": plan.fields.get("condition")}, [target]), _output(target))


def _update_command(plan: Node) -> RowChanges:
    target = read_tree(plan.fields["target"])
    table = _output(target)
    values = dict(zip((name for _, name in table), plan.expressions("updateExpressions"), strict=False))
    return _of(_assigned(values, table, plan.expressions("condition"), target), table)


def _delete_command(plan: Node) -> RowChanges:
    target = read_tree(plan.fields["target"])
    return _of(Node("Filter", {"condition": plan.fields.get("condition")}, [target]), _output(target))


def _merge_command(plan: Node) -> RowChanges:
    target, source = read_tree(plan.fields["target"]), read_tree(plan.fields["source"])
    table = _output(target)
    joined = Node("Join", {"condition": plan.fields["condition"]}, [target, source])
    clauses = [
        clause
        for name in ("matchedClauses", "notMatchedClauses", "notMatchedBySourceClauses")
        for clause in plan.expressions(name)
    ]
    branches = []
    for clause in clauses:
        actions = [one for one in operands(clause) if class_name(one[0]) == "DeltaMergeAction"]
        values = {_first_part(one[0]["targetColNameParts"]): one[1:] for one in actions}
        conditions = [clause[0]["condition"]] if clause[0].get("condition") else []
        branches.append(_assigned(values, table, conditions, joined))
    return _of(_together(branches, joined), table)


def _merge_rows(node: Node) -> Node:
    """Return the query of a MergeRows: each of its instructions makes rows of some rows of the join."""
    columns = attributes(node.expressions("output"))
    names = [name for _, name in columns]
    branches = []
    for field in ("matchedInstructions", "notMatchedInstructions", "notMatchedBySourceInstructions"):
        for instruction in node.expressions(field):
            parts = operands(instruction)
            condition = parts[instruction[0]["condition"]]
            made = [
                instruction[0][output] for output in ("output", "otherOutput") if output in instruction[0]
            ]
            for indexes in made or [[]]:
                values = dict(zip(names, (parts[index] for index in indexes), strict=False))
                branches.append(_assigned(values, columns, [condition], node.children[0]))
    return _together(branches, node.children[0])


def _update(node: Node) -> Node:
    """Return the query of an UPDATE that makes each column `if (condition) new value else column`."""
    columns = attributes(node.expressions("projectList"))
    values, conditions = {}, []
    for (_, name), expression in zip(columns, node.expressions("projectList"), strict=True):
        value = expression[1:] if class_name(expression[0]) == "Alias" else expression
        if class_name(value[0]) == "If":
            condition, value, _ = operands(value)
            conditions = [condition]
        values[name] = value
    return _assigned(values, columns, conditions, node.children[0])


def _assigned(
    values: dict[str, Expression], columns: list[tuple[int, str]], conditions: list[Expression], child: Node
) -> Node:
    """Return the query that gives columns their values in the rows that a condition lets through."""
    projected = [[_alias(identity, name), *(values.get(name) or _LITERAL)] for identity, name in columns]
    filtered = Node("Filter", {"condition": conditions}, [child]) if conditions else child
    return Node("Project", {"projectList": projected}, [filtered])


def _alias(identity: int, name: str) -> dict[str, Any]:
    return {"class": "expressions.Alias", "num-children": 1, "name": name, "exprId": {"id": identity}}


def _together(branches: list[Node], otherwise: Node) -> Node:
    return Node("Union", {}, branches) if branches else otherwise


def _of(query: Node, table: list[tuple[int, str]]) -> RowChanges:
    names = {name for _, name in table}
    written = {name: identity for identity, name in _output(query) if name in names}
    return RowChanges(query, written, table[0][0])


def _output(node: Node) -> list[tuple[int, str]]:
    """Return id and name of the columns that a plan names, or passes on from its first leaf."""
    while True:
        for field in ("projectList", "output"):
            found = attributes(node.expressions(field))
            if found:
                return found
        node = node.children[0]


def _without_operation(node: Node) -> Node:
    """Return a query without the projection that only adds which operation a row is for."""
    if node.kind != "Project" or node.children[0].kind in ("DataSourceV2Relation", "Join"):
        return node
    first = attributes(node.expressions("projectList")[:1])
    return node.children[0] if first and first[0][1] == _OPERATION else node


def _first_part(parts: Any) -> str:
    """Return the column of a name of several parts, which Spark writes as text like `[address, city]`."""
    if isinstance(parts, str):
        return parts[1:-1].partition(", ")[0]
    return str(parts[0])


_READERS: dict[str, Callable[[Node], RowChanges]] = {
    "ReplaceData": _rewritten,
    "WriteDelta": _rewritten,
    "DeleteFromTable": _delete_from_table,
    "MergeIntoCommand": _merge_command,
    "UpdateCommand": _update_command,
    "DeleteCommand": _delete_command,
}
