"""The analyzed logical plan of a DataFrame, as the JVM has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.jvm import JavaObject, class_of, each
from openlineage_facets.spark.notices import notice

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["analyzed_plan", "leaves_of", "projections_of"]

_HOLDERS: dict[str, tuple[str, ...]] = {
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
"""Leaves that hold plans of their own, and the calls that lead to these; the last three are Delta's."""


def analyzed_plan(df: DataFrame) -> JavaObject | None:
    """Return the plan of a DataFrame after analysis; None, logged once, for one of Spark Connect."""
    frame = getattr(df, "_jdf", None)
    if frame is None:
        notice(
            "a DataFrame of Spark Connect does not show how it will be made: its column lineage is left out"
        )
        return None
    return frame.queryExecution().analyzed()


def leaves_of(plan: JavaObject) -> Iterator[JavaObject]:
    """Go through the leaves of a plan and of its subqueries, and of the plans that some leaves hold."""
    for tree in (plan, *each(plan.subqueriesAll())):
        for leaf in each(tree.collectLeaves()):
            held = _HOLDERS.get(class_of(leaf))
            if held is None:
                yield leaf
            for calls in held or ():
                inner = leaf
                for call in calls.split("."):
                    inner = getattr(inner, call)()
                yield from leaves_of(inner)


def projections_of(plan: JavaObject, column: int) -> list[list[list[dict[str, Any]]]]:
    """Return the projections of the Expand that makes a column, as JSON.

    In the JSON of a whole plan they are missing where Spark keeps them in lists of some kinds.

    Args:
        plan: The plan.
        column: The id of the last column that the Expand makes.

    Raises:
        LookupError: The plan has no such operator.
    """
    pending = [plan, *each(plan.subqueriesAll())]
    while pending:
        node = pending.pop()
        if class_of(node) == "Expand" and node.output().last().exprId().id() == column:
            return [[json.loads(made.toJSON()) for made in each(row)] for row in each(node.projections())]
        pending.extend(each(node.children()))
    raise LookupError(f"expected an Expand that makes column {column}, found none")
