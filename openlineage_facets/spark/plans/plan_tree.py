"""Logical plans parsed from the JSON that Spark writes.

A single call transfers the whole plan from the JVM. For wide DataFrames this is much faster than one call per
expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Expression: TypeAlias = list[dict[str, Any]]
"""An expression in Spark's JSON: its nodes in pre-order, each with its number of children."""


@dataclass
class Node:
    """An operator of a logical plan.

    Args:
        kind: The class without its package.
        fields: The parameters. Expressions are stored as `Expression`.
        children: The child operators.
    """

    kind: str
    fields: dict[str, Any]
    children: list[Node] = field(default_factory=list)

    def expressions(self, name: str) -> list[Expression]:
        """Return all expressions in a field, which may be a single one, a nested list, or missing."""
        return list(_expressions(self.fields.get(name)))

    @property
    def join_type(self) -> str:
        """The type of a Join, such as `Inner`, `LeftOuter` or `LeftSemi`."""
        class_path = str((self.fields.get("joinType") or {}).get("object", ""))
        return class_path.rpartition(".")[2].rstrip("$")

    def in_order(self) -> Iterator[tuple[Node, int]]:
        """Yield every operator with `n` after its child `n`, and with -1 after all of its children."""
        pending: list[tuple[Node, int]] = [(self, 0)]
        while pending:
            node, visited = pending.pop()
            if visited:
                yield node, visited - 1
            if visited < len(node.children):
                pending.append((node, visited + 1))
                pending.append((node.children[visited], 0))
            else:
                yield node, -1


def parse_plan(nodes: list[dict[str, Any]]) -> Node:
    """Return the tree of a plan from its operators in pre-order."""
    stack: list[Node] = []
    for fields in reversed(nodes):
        children = [stack.pop() for _ in range(fields["num-children"])]
        stack.append(Node(class_name(fields), fields, children))
    return stack[0]


def class_name(fields: dict[str, Any]) -> str:
    """Return the class of an operator or expression without its package."""
    return str(fields["class"]).rpartition(".")[2]


def operands(expression: Expression) -> list[Expression]:
    """Return the child expressions of an expression."""
    children: list[Expression] = []
    missing = 0
    for node in expression[1:]:
        if missing == 0:
            children.append([])
            missing = 1
        children[-1].append(node)
        missing += int(node["num-children"]) - 1
    return children


def attributes(expressions: list[Expression]) -> list[tuple[int, str]]:
    """Return expression id and name of every named expression."""
    return [(int(expression[0]["exprId"]["id"]), str(expression[0]["name"])) for expression in expressions]


def _expressions(value: Any) -> Iterator[Expression]:
    if not isinstance(value, list) or not value:
        return
    if isinstance(value[0], dict):
        if "num-children" in value[0] and "class" in value[0]:
            yield value
    else:
        for item in value:
            yield from _expressions(item)
