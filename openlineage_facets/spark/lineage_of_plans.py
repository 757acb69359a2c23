"""From which columns of its sources each column of a plan is made, and which steer its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from openlineage_facets.spark.lineage_of_expressions import (
    DIRECT,
    NONE,
    Lineage,
    lineage_of,
    made_of,
    merged,
    steering,
)
from openlineage_facets.spark.plan_tree import Expression, Node, attributes, read_tree

__all__ = ["PlanLineage", "Rows"]


class Rows(NamedTuple):
    """What an operator gives.

    Args:
        ids: The ids of its columns, in order.
        columns: The lineage of each.
        steered: The columns that decide which rows there are.
    """

    ids: list[int]
    columns: dict[int, Lineage]
    steered: Lineage = NONE


class PlanLineage:
    """Follows the columns of plans from their sources upwards.

    Args:
        sources: The number of the source behind a leaf, by the id of the leaf's first column.
        projections: What returns the projections of the Expand that makes a column, by the column's id, where
            the JSON of a plan does not have them.
    """

    def __init__(
        self, sources: Mapping[int, int], projections: Callable[[int], list[list[Expression]]]
    ) -> None:
        self._sources = sources
        self._projections = projections
        self._named_plans: dict[Any, Rows] = {}
        self._around: list[dict[int, Lineage]] = []

    def of(self, nodes: list[dict[str, Any]]) -> Rows:
        """Return what a plan gives, from its JSON."""
        return self.of_tree(read_tree(nodes))

    def of_tree(self, plan: Node) -> Rows:
        """Return what a plan gives."""
        done: list[Rows] = []
        for node, child in plan.in_order():
            if child < 0:
                count = len(node.children)
                children = done[len(done) - count :] if count else []
                del done[len(done) - count :]
                done.append(self._rows(node, children))
            elif child == 0 and node.kind == "UnionLoop":
                self._named_plans["loop", node.fields.get("id")] = done[-1]
        return done[0]

    def _rows(self, node: Node, children: list[Rows]) -> Rows:
        if not children:
            return self._leaf(node)
        operator = _OPERATORS.get(node.kind)
        if operator is not None:
            return operator(self, node, children)
        return self._other(node, children)

    def _leaf(self, node: Node) -> Rows:
        if node.kind in ("CTERelationRef", "UnionLoopRef"):
            key = (
                ("cte", node.fields.get("cteId"))
                if node.kind == "CTERelationRef"
                else ("loop", node.fields.get("loopId"))
            )
            return self._again(node, self._named_plans.get(key))
        output = attributes(
            node.expressions("output") or [*node.expressions("dataCols"), *node.expressions("partitionCols")]
        )
        source = self._sources.get(output[0][0]) if output else None
        ids = [identity for identity, _ in output]
        if source is None:
            return Rows(ids, dict.fromkeys(ids, NONE))
        return Rows(ids, {identity: {(source, name): DIRECT} for identity, name in output})

    def _again(self, node: Node, rows: Rows | None) -> Rows:
        """Return rows of a plan that has a name, under the ids that this use of it gives them."""
        ids = [identity for identity, _ in attributes(node.expressions("output"))]
        if rows is None or len(ids) != len(rows.ids):
            return Rows(ids, dict.fromkeys(ids, NONE))
        columns = {new: rows.columns[old] for new, old in zip(ids, rows.ids, strict=True)}
        return Rows(ids, columns, rows.steered)

    def _value(self, expression: Expression, columns: Mapping[int, Lineage]) -> Lineage:
        def subquery(nodes: list[dict[str, Any]]) -> tuple[list[Lineage], Lineage]:
            rows = self._inside(nodes, columns)
            return [rows.columns[identity] for identity in rows.ids], rows.steered

        if self._around:
            columns = {**self._around[-1], **columns}
        return lineage_of(expression, columns, subquery)

    def _inside(self, nodes: list[dict[str, Any]], columns: Mapping[int, Lineage]) -> Rows:
        """Return what a subquery gives, which may refer to columns of the plan around it."""
        self._around.append(dict(columns))
        try:
            return self.of(nodes)
        finally:
            self._around.pop()

    def _values(self, expressions: Iterable[Expression], columns: Mapping[int, Lineage]) -> list[Lineage]:
        return [self._value(expression, columns) for expression in expressions]

    def _named(self, expressions: list[Expression], columns: Mapping[int, Lineage]) -> Rows:
        """Return the columns that a list of named expressions makes."""
        ids = [identity for identity, _ in attributes(expressions)]
        return Rows(ids, dict(zip(ids, self._values(expressions, columns), strict=True)))

    def _project(self, node: Node, children: list[Rows]) -> Rows:
        made = self._named(node.expressions("projectList"), children[0].columns)
        return made._replace(steered=children[0].steered)

    def _aggregate(self, node: Node, children: list[Rows]) -> Rows:
        columns = children[0].columns
        made = self._named(node.expressions("aggregateExpressions"), columns)
        groups = self._values(node.expressions("groupingExpressions"), columns)
        return made._replace(steered=merged([children[0].steered, steering(groups, "GROUP_BY")]))

    def _window(self, node: Node, children: list[Rows]) -> Rows:
        made = self._named(node.expressions("windowExpressions"), children[0].columns)
        return Rows(
            [*children[0].ids, *made.ids], {**children[0].columns, **made.columns}, children[0].steered
        )

    def _filter(self, node: Node, children: list[Rows]) -> Rows:
        return self._steered_by(node.expressions("condition"), "FILTER", children[0])

    def _sort(self, node: Node, children: list[Rows]) -> Rows:
        return self._steered_by(node.expressions("order"), "SORT", children[0])

    def _deduplicate(self, node: Node, children: list[Rows]) -> Rows:
        return self._steered_by(node.expressions("keys"), "GROUP_BY", children[0])

    def _steered_by(self, expressions: list[Expression], subtype: str, rows: Rows) -> Rows:
        steers = steering(self._values(expressions, rows.columns), subtype)
        return rows._replace(steered=merged([rows.steered, steers]))

    def _distinct(self, node: Node, children: list[Rows]) -> Rows:
        rows = children[0]
        return rows._replace(steered=merged([rows.steered, steering(rows.columns.values(), "GROUP_BY")]))

    def _join(self, node: Node, children: list[Rows]) -> Rows:
        left, right = children
        join_type = str((node.fields.get("joinType") or {}).get("object", ""))
        together = Rows(
            [*left.ids, *right.ids], {**left.columns, **right.columns}, merged([left.steered, right.steered])
        )
        together = self._steered_by(node.expressions("condition"), "JOIN", together)
        if "LeftSemi" in join_type or "LeftAnti" in join_type:
            return left._replace(steered=together.steered)
        return together

    def _lateral_join(self, node: Node, children: list[Rows]) -> Rows:
        left = children[0]
        subquery = node.expressions("right")[0]
        right = self._inside(subquery[0]["plan"], left.columns)
        together = Rows(
            [*left.ids, *right.ids], {**left.columns, **right.columns}, merged([left.steered, right.steered])
        )
        return self._steered_by(node.expressions("condition"), "JOIN", together)

    def _union(self, node: Node, children: list[Rows]) -> Rows:
        ids = children[0].ids
        if node.kind == "UnionLoop" and node.fields.get("output"):
            ids = [identity for identity, _ in attributes(node.expressions("output"))]
        columns = {
            identity: merged([child.columns[child.ids[position]] for child in children])
            for position, identity in enumerate(ids)
        }
        return Rows(ids, columns, merged([child.steered for child in children]))

    def _compared(self, node: Node, children: list[Rows]) -> Rows:
        """Return the rows of an INTERSECT or EXCEPT: the left ones, as comparing all columns decides."""
        left, right = children
        compared = steering([*left.columns.values(), *right.columns.values()], "JOIN")
        return left._replace(steered=merged([left.steered, right.steered, compared]))

    def _generate(self, node: Node, children: list[Rows]) -> Rows:
        rows = children[0]
        generator = self._values(node.expressions("generator"), rows.columns)
        made = [identity for identity, _ in attributes(node.expressions("generatorOutput"))]
        columns = {**rows.columns, **dict.fromkeys(made, made_of(generator, "TRANSFORMATION"))}
        unrequired = _indexes(node.fields.get("unrequiredChildIndex"))
        kept = [identity for index, identity in enumerate(rows.ids) if index not in unrequired]
        return Rows([*kept, *made], columns, merged([rows.steered, steering(generator, "JOIN")]))

    def _expand(self, node: Node, children: list[Rows]) -> Rows:
        rows = children[0]
        ids = [identity for identity, _ in attributes(node.expressions("output"))]
        projections: list[list[Expression]] = node.fields["projections"] or self._projections(ids[-1])
        made = [self._values(projection, rows.columns) for projection in projections]
        columns = {identity: merged(values) for identity, *values in zip(ids, *made, strict=True)}
        return Rows(ids, columns, rows.steered)

    def _with_cte(self, node: Node, children: list[Rows]) -> Rows:
        return children[-1]

    def _cte(self, node: Node, children: list[Rows]) -> Rows:
        self._named_plans["cte", node.fields.get("id")] = children[0]
        return children[0]

    def _other(self, node: Node, children: list[Rows]) -> Rows:
        """Return what any other operator gives: its children's columns, or new ones of all it looks at."""
        columns = {identity: lineage for child in children for identity, lineage in child.columns.items()}
        steered = merged([child.steered for child in children])
        output = attributes(node.expressions("output"))
        if not output:
            return Rows([identity for child in children for identity in child.ids], columns, steered)
        used = [
            self._value(expression, columns)
            for name in node.fields
            if name != "output"
            for expression in node.expressions(name)
        ]
        made = made_of(used if any(used) else columns.values(), "TRANSFORMATION")
        ids = [identity for identity, _ in output]
        return Rows(ids, {identity: columns.get(identity, made) for identity in ids}, steered)


def _indexes(value: Any) -> set[int]:
    """Return the numbers in a list that Spark writes as a list, or as text like `[0, 2]`."""
    if isinstance(value, str):
        value = [part for part in value.strip("[]").split(",") if part.strip()]
    return {int(item) for item in value or ()}


_OPERATORS: dict[str, Callable[[PlanLineage, Node, list[Rows]], Rows]] = {
    "Project": PlanLineage._project,
    "Aggregate": PlanLineage._aggregate,
    "Window": PlanLineage._window,
    "Filter": PlanLineage._filter,
    "Sort": PlanLineage._sort,
    "Deduplicate": PlanLineage._deduplicate,
    "DeduplicateWithinWatermark": PlanLineage._deduplicate,
    "Distinct": PlanLineage._distinct,
    "Join": PlanLineage._join,
    "LateralJoin": PlanLineage._lateral_join,
    "Union": PlanLineage._union,
    "UnionLoop": PlanLineage._union,
    "Intersect": PlanLineage._compared,
    "Except": PlanLineage._compared,
    "Generate": PlanLineage._generate,
    "Expand": PlanLineage._expand,
    "WithCTE": PlanLineage._with_cte,
    "CTERelationDef": PlanLineage._cte,
}
