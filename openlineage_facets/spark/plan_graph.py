"""A physical plan that has run: whose rows went where, and whether each of them went there once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from openlineage_facets.spark.jvm import JavaObject, class_of
from openlineage_facets.spark.session import members

__all__ = ["Operator", "PlanGraph"]

_EDGE = re.compile(r"SparkPlanGraphEdge\((\d+),(\d+)\)")

_TAKES_ALL = re.compile(
    r"""(Hash|ObjectHash|Sort)Aggregate | Project | Filter | Sort | Window | Expand | Generate | Sample
    | Union | Coalesce | CollectMetrics | InMemoryTableScan | ColumnarToRow | RowToColumnar
    | (Arrow|Batch)EvalPython | DeserializeToObject | MapElements | SerializeFromObject
    | AQEShuffleRead | AdaptiveSparkPlan | Execute\ .* | WriteFiles | MergeRows | WriteDelta | ReplaceData
    | AppendData | OverwriteByExpression | OverwritePartitionsDynamic | WriteToDataSourceV2
    | (Atomic)?(Create|Replace)TableAsSelect""",
    re.VERBOSE,
)
"""The operators that take each row from below, in one pass."""

_TAKES_ALL_IF_COMPILED = ("BroadcastHashJoin", "BroadcastNestedLoopJoin")
"""Joins that, where Spark does not compile them, pass over rows that nothing matches, or take them twice."""

_TAKES_AGAIN = ("CartesianProduct", "UnionLoop")
_MAY_TAKE_TWICE = ("BroadcastNestedLoopJoin",)
_SAMPLES = "Exchange rangepartitioning"
"""An exchange that takes its rows twice: first, in a job of its own, to see where it will cut them."""

_KEEPS_NUMBER = ("ColumnarToRow", "Project", "CollectMetrics")


class Operator:
    """An operator of a plan.

    Args:
        node: What Spark shows of it.
    """

    def __init__(self, node: JavaObject) -> None:
        self._node = node
        self.id: int = node.id()
        """Its number in the plan."""
        self.name: str = node.name()
        """How Spark calls it."""

    @cached_property
    def description(self) -> str:
        """What it does, in one line."""
        return str(self._node.desc())

    def metrics(self) -> dict[str, int]:
        """Return the accumulators that count what it does, by the names of the numbers."""
        return {metric.name(): metric.accumulatorId() for metric in members(self._node.metrics())}


class PlanGraph:
    """The plan of one execution, as it was in the end.

    Args:
        graph: What Spark shows of it.
    """

    def __init__(self, graph: JavaObject) -> None:
        self._graph = graph
        self.operators = [Operator(node) for node in members(graph.allNodes())]
        """Its operators."""

    def skipping(self, operator: Operator, samples: bool) -> str | None:
        """Return the operator that may not have taken each row of another once; None where all have.

        Args:
            operator: The other, which is below it.
            samples: Whether rows count that were taken for a sample.
        """
        above = list(self._above(operator, lambda _: False))
        if any(one.name == "EmptyRelation" for one in above):
            return "EmptyRelation"  # What stands below was found to be of no use, and may not have run.
        for taker in self._of_same_tasks(operator):
            name = taker.name
            if _sends_on(taker):
                if samples and _takes_sample(taker):
                    return _SAMPLES
            elif not _TAKES_ALL.fullmatch(name) and not (
                name in _TAKES_ALL_IF_COMPILED and taker.id in self._compiled
            ):
                return name
        return None

    def repeating(self, operator: Operator) -> str | None:
        """Return the operator that may have taken the rows of another more than once; None where none has."""
        for taker in self._of_same_tasks(operator):
            name = taker.name
            if _takes_sample(taker):
                return _SAMPLES
            if name in _TAKES_AGAIN or (name in _MAY_TAKE_TWICE and taker.id not in self._compiled):
                return name
        return None

    def sender(self, operator: Operator) -> Operator | None:
        """Return the exchange that sends on as many rows as another gives; None where none does surely."""
        *between, last = [*self._of_same_tasks(operator)] or [operator]
        if last.name == "Exchange" and all(one.name in _KEEPS_NUMBER for one in between):
            return last
        return None

    def _of_same_tasks(self, operator: Operator) -> Iterator[Operator]:
        """Go through what takes the rows of an operator in the tasks that make them, up to an exchange."""
        return self._above(operator, _sends_on)

    def _above(self, operator: Operator, ends: Callable[[Operator], bool]) -> Iterator[Operator]:
        pending, seen = [operator], {operator.id}
        while pending:
            for taker in self._takers.get(pending.pop().id, ()):
                if taker.id in seen:
                    continue
                seen.add(taker.id)
                yield taker
                if not ends(taker):
                    pending.append(taker)

    @cached_property
    def _takers(self) -> dict[int, list[Operator]]:
        """What takes the rows of each operator."""
        by_id = {operator.id: operator for operator in self.operators}
        takers: dict[int, list[Operator]] = {}
        for below, above in _EDGE.findall(self._graph.edges().toString()):
            takers.setdefault(int(below), []).append(by_id[int(above)])
        return takers

    @cached_property
    def _compiled(self) -> set[int]:
        """The operators that Spark has made Java code of."""
        clusters = (one for one in members(self._graph.nodes()) if class_of(one) == "SparkPlanGraphCluster")
        return {node.id() for cluster in clusters for node in members(cluster.nodes())}


def _sends_on(operator: Operator) -> bool:
    return "Exchange" in operator.name or "Subquery" in operator.name


def _takes_sample(operator: Operator) -> bool:
    return operator.name == "Exchange" and operator.description.startswith(_SAMPLES)
