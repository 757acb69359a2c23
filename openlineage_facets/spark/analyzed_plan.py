"""The analyzed logical plan of a DataFrame in the JVM, and plans parsed from the JSON that Spark writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pyspark.sql import DataFrame

from openlineage_facets.spark.jvm import JavaObject, class_of, each
from openlineage_facets.spark.log_once import log_once

_INNER_PLANS: dict[str, tuple[str, ...]] = {
    "CommandResult": ("commandLogicalPlan",),
    "InMemoryRelation": ("cacheBuilder.logicalPlan",),
    "CreateDataSourceTableAsSelectCommand": ("query",),
    "CreateHiveTableAsSelectCommand": ("query",),
    "OptimizedCreateHiveTableAsSelectCommand": ("query",),
    "SaveIntoDataSourceCommand": ("query",),
    "InsertIntoDataSourceCommand": ("query",),
    "MergeIntoCommand": ("source", "target"),
    "UpdateCommand": ("target",),
    "DeleteCommand": ("target",),
}
"""Methods that return the inner plans of leaves. The last three leaves are Delta's."""


def analyzed_plan(df: DataFrame) -> JavaObject | None:
    """Return the analyzed plan of a DataFrame; None, logged once, in Spark Connect."""
    frame = getattr(df, "_jdf", None)
    if frame is None:
        log_once("cannot capture column lineage: Spark Connect does not report the plan of a DataFrame")
        return None
    return frame.queryExecution().analyzed()


def leaves_of(plan: JavaObject, inner: Mapping[str, tuple[str, ...]] = _INNER_PLANS) -> Iterator[JavaObject]:
    """Yield the leaves of a plan, of its subqueries and of inner plans of leaves.

    Args:
        plan: The plan.
        inner: Methods that return the inner plans of leaves, by the class of the leaf.
    """
    for tree in (plan, *each(plan.subqueriesAll())):
        for leaf in each(tree.collectLeaves()):
            inner_plans = inner.get(class_of(leaf))
            if inner_plans is None:
                yield leaf
            for calls in inner_plans or ():
                inner_plan = leaf
                for call in calls.split("."):
                    inner_plan = getattr(inner_plan, call)()
                yield from leaves_of(inner_plan, inner)


def returns_command_result(plan: JavaObject) -> bool:
    """Return True if a plan only returns the result of a command, such as the tables of SHOW TABLES."""
    leaves = list(each(plan.collectLeaves()))
    return bool(leaves) and all(class_of(leaf) == "CommandResult" for leaf in leaves)


def expand_projections(plan: JavaObject, column: int) -> list[list[list[dict[str, Any]]]]:
    """Return the projections of an Expand operator as JSON.

    The JSON of a whole plan lacks them if Spark stores them in certain kinds of lists.

    Args:
        plan: The plan.
        column: The expression id of the last column that the Expand returns.

    Raises:
        LookupError: The plan has no such operator.
    """
    pending = [plan, *each(plan.subqueriesAll())]
    while pending:
        node = pending.pop()
        if class_of(node) == "Expand" and node.output().last().exprId().id() == column:
            return [
                [json.loads(expression.toJSON()) for expression in each(projection)]
                for projection in each(node.projections())
            ]
        pending.extend(each(node.children()))
    raise LookupError(f"the plan has no Expand operator that returns column {column}")


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
