"""A logical plan as a tree of Python values, read from the JSON that Spark writes of it.

One call brings the whole plan over from the JVM, which for wide frames is far faster than to ask for
each expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

__all__ = ["Expression", "Node", "attributes", "operands", "read_tree"]

Expression: TypeAlias = list[dict[str, Any]]
"""An expression as Spark writes it: its nodes in pre-order, each with the number of its children."""


@dataclass
class Node:
    """An operator of a logical plan.

    Args:
        kind: Its class, without package.
        fields: Its parameters; an expression stands in them as an `Expression`.
        children: The operators that it takes its rows from.
    """

    kind: str
    fields: dict[str, Any]
    children: list[Node] = field(default_factory=list)

    def expressions(self, name: str) -> list[Expression]:
        """Return the expressions in a field, whether it holds one, several or none."""
        return list(_expressions(self.fields.get(name)))

    def all_expressions(self) -> Iterator[Expression]:
        """Go through the expressions in all fields."""
        for value in self.fields.values():
            yield from _expressions(value)

    def in_order(self) -> Iterator[tuple[Node, int]]:
        """Go through the tree: each operator with n after its child n, and with -1 after all of them."""
        pending: list[tuple[Node, int]] = [(self, 0)]
        while pending:
            node, done = pending.pop()
            if done:
                yield node, done - 1
            if done < len(node.children):
                pending.append((node, done + 1))
                pending.append((node.children[done], 0))
            else:
                yield node, -1


def read_tree(nodes: list[dict[str, Any]]) -> Node:
    """Make the tree of a plan that Spark wrote as JSON: its operators in pre-order."""
    waiting: list[Node] = []
    for fields in reversed(nodes):
        count = fields["num-children"]
        children = [waiting.pop() for _ in range(count)]
        waiting.append(Node(class_name(fields), fields, children))
    return waiting[0]


def class_name(fields: dict[str, Any]) -> str:
    """Return the class of an operator or expression, without package."""
    return str(fields["class"]).rpartition(".")[2]


def operands(expression: Expression) -> list[Expression]:
    """Return the expressions that an expression is applied to."""
    found: list[Expression] = []
    missing = 0
    for node in expression[1:]:
        if missing == 0:
            found.append([])
            missing = 1
        found[-1].append(node)
        missing += int(node["num-children"]) - 1
    return found


def attributes(expressions: list[Expression]) -> list[tuple[int, str]]:
    """Return id and name of what each of some named expressions makes."""
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
