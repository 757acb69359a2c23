"""Access to the analyzed logical plan of a DataFrame in the JVM."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.jvm.objects import JavaObject, class_of, each
from openlineage_facets.spark.log_once import log_once

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

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
