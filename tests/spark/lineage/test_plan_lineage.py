"""The lineage of operators, computed once for each of them."""

from __future__ import annotations

import pytest

from openlineage_facets.spark.analyzed_plan import Node
from openlineage_facets.spark.lineage.plan_lineage import Output, PlanLineage


def test_the_operators_below_chained_pivots_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pivoted = [
        {"class": "Alias", "num-children": 1, "name": "a", "exprId": {"id": 1}},
        {"class": "PivotFirst", "num-children": 0},
    ]
    plan = Node("LocalRelation", {})
    for _ in range(10):
        plan = Node("Aggregate", {"aggregateExpressions": [pivoted]}, [Node("Aggregate", {}, [plan])])
    leaves: list[Node] = []

    def leaf(lineage: PlanLineage, node: Node) -> Output:
        leaves.append(node)
        return Output([], {})

    monkeypatch.setattr(PlanLineage, "_leaf", leaf)
    PlanLineage({}, {}, lambda column: []).of(plan)
    assert len(leaves) == 1
