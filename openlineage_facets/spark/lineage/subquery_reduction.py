"""Remove operators from the plans of subqueries that cannot change the result.

The result of `EXISTS` depends on whether there is a row, the result of `IN` on the distinct values:

    EXISTS (SELECT DISTINCT a, b FROM t WHERE c > 1 ORDER BY d)    depends on c
    x IN (SELECT DISTINCT a FROM t WHERE c > 1 ORDER BY d)         depends on a and c
"""

from __future__ import annotations

from dataclasses import replace

from openlineage_facets.spark.analyzed_plan import Node, class_name

DISTINCT_CTE_REFERENCE = "DistinctCTERelationRef"
"""The kind of nodes that refer to the distinct rows of a common table expression. Not a Spark operator."""

_KEEPS_ROWS = {
    "CollectMetrics",
    "EventTimeWatermark",
    "Project",
    "RebalancePartitions",
    "Repartition",
    "RepartitionByExpression",
    "ResolvedHint",
    "SubqueryAlias",
    "View",
}
"""Operators that return one row for every input row."""

_KEEPS_EXISTENCE = {
    *_KEEPS_ROWS,
    "Deduplicate",
    "DeduplicateWithinWatermark",
    "Distinct",
    "Expand",
    "Sort",
    "Window",
}
"""Operators that return a row if and only if there is an input row."""

_LIMITS = {"GlobalLimit", "LocalLimit"}
_ONE_ROW = Node("OneRowRelation", {})
_COMBINED = "Combined"
"""The kind of nodes that combine the lineage of several plans. Not a Spark operator."""


def reduced_to_existence(plan: Node) -> Node:
    """Return a plan with fewer operators that returns a row if and only if `plan` does."""
    kind = plan.kind
    if kind in _KEEPS_EXISTENCE or (kind in _LIMITS and _is_positive_limit(plan)):
        return reduced_to_existence(plan.children[0])
    if kind == "Aggregate":  # Without grouping, there is always one row.
        grouped = plan.expressions("groupingExpressions")
        return reduced_to_existence(plan.children[0]) if grouped else _ONE_ROW
    if kind == "Generate":
        child = plan.children[0]
        if plan.fields.get("outer"):
            return reduced_to_existence(child)
        return replace(plan, children=[reduced_to_distinct_rows(child)])
    if kind == "Filter":
        return replace(plan, children=[reduced_to_distinct_rows(plan.children[0])])
    if kind == "CTERelationRef":
        return reduced_to_distinct_rows(plan)
    if kind == "Join":
        return _reduced_join(plan)
    if kind == "Union":
        return Node(_COMBINED, {}, [reduced_to_existence(child) for child in plan.children])
    if kind == "WithCTE":
        *definitions, query = plan.children
        return replace(plan, children=[*definitions, reduced_to_existence(query)])
    return plan


def reduced_to_distinct_rows(plan: Node) -> Node:
    """Return a plan with fewer operators that has the same distinct rows in any order."""
    if plan.kind == "CTERelationRef":
        return replace(plan, kind=DISTINCT_CTE_REFERENCE)
    if plan.kind in ("Sort", "Distinct"):
        return reduced_to_distinct_rows(plan.children[0])
    if plan.kind in _KEEPS_ROWS or plan.kind in ("Filter", "Join", "Union"):
        return replace(plan, children=[reduced_to_distinct_rows(child) for child in plan.children])
    if plan.kind == "WithCTE":
        *definitions, query = plan.children
        return replace(plan, children=[*definitions, reduced_to_distinct_rows(query)])
    return plan


def _reduced_join(plan: Node) -> Node:
    left, right = plan.children
    kept = {"LeftOuter": [left], "RightOuter": [right], "FullOuter": [left, right]}.get(plan.join_type)
    if kept is None and plan.join_type in ("Inner", "Cross") and not plan.expressions("condition"):
        kept = [left, right]
    if kept is not None:
        return Node(_COMBINED, {}, [reduced_to_existence(child) for child in kept])
    return reduced_to_distinct_rows(plan)


def _is_positive_limit(limit: Node) -> bool:
    expressions = limit.expressions("limitExpr")
    if len(expressions) != 1 or class_name(expressions[0][0]) != "Literal":
        return False
    value = str(expressions[0][0].get("value"))
    return value.isdecimal() and int(value) > 0
