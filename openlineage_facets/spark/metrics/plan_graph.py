"""The graph of an executed plan: its operators, and whether rows passed through them exactly once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

_READS_ALL_ONCE = re.compile(
    r"""(Hash|ObjectHash|Sort)Aggregate | Project | Filter | Sort | Window | Expand | Generate | Sample
    | Union | Coalesce | CollectMetrics | InMemoryTableScan | ColumnarToRow | RowToColumnar
    | (Arrow|Batch)EvalPython | DeserializeToObject | MapElements | SerializeFromObject
    | AQEShuffleRead | AdaptiveSparkPlan | Execute\ .* | WriteFiles | MergeRows | WriteDelta | ReplaceData
    | AppendData | OverwriteByExpression | OverwritePartitionsDynamic | WriteToDataSourceV2
    | (Atomic)?(Create|Replace)TableAsSelect""",
    re.VERBOSE,
)
"""Operators that read every row of their child once."""

_READS_ALL_ONCE_IF_COMPILED = ("BroadcastHashJoin", "BroadcastNestedLoopJoin")
"""Joins that may skip or repeat rows unless Spark compiles them."""

_REPEATS = ("CartesianProduct", "UnionLoop")
_REPEATS_UNLESS_COMPILED = ("BroadcastNestedLoopJoin",)
_RANGE_EXCHANGE = "Exchange rangepartitioning"
"""An exchange that reads its rows twice. The first time is a separate job that samples the range bounds."""

_KEEPS_ROW_COUNT = ("ColumnarToRow", "Project", "CollectMetrics")


class Operator(NamedTuple):
    """An operator of a physical plan.

    Args:
        id: The number in the plan.
        name: The name, such as `Scan parquet`.
        description: The operator with its parameters, in one line.
        metrics: Accumulator ids by the name of the metric.
    """

    id: int
    name: str
    description: str
    metrics: dict[str, int]

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> Operator:
        """Return the operator of a node in the JSON form of Spark's plan graph."""
        metrics = {metric["name"]: metric["accumulatorId"] for metric in node["metrics"]}
        return cls(node["id"], node["name"], node["desc"], metrics)


class PlanGraph:
    """The final plan of a SQL execution.

    Args:
        graph: The JSON form of Spark's plan graph.
    """

    def __init__(self, graph: Mapping[str, Any]) -> None:
        self._graph = graph
        self.operators = [Operator.of(node) for node in graph["allNodes"]]
        """All operators."""

    def inexact_consumer(self, operator: Operator, count_samples: bool) -> str | None:
        """Return the name of an operator above that may have skipped or repeated rows; None if none has.

        Args:
            operator: The operator whose rows are consumed.
            count_samples: Whether rows that are read to sample range bounds count as repeated.
        """
        ancestors = list(self._ancestors(operator, lambda _: False))
        if any(ancestor.name == "EmptyRelation" for ancestor in ancestors):
            return "EmptyRelation"  # Spark found the operators below unnecessary and may not have run them.
        for consumer in self._consumers_in_stage(operator):
            name = consumer.name
            if _ends_stage(consumer):
                if count_samples and _samples(consumer):
                    return _RANGE_EXCHANGE
            elif not _READS_ALL_ONCE.fullmatch(name) and not (
                name in _READS_ALL_ONCE_IF_COMPILED and consumer.id in self._compiled
            ):
                return name
        return None

    def is_below_cache(self, operator: Operator) -> bool:
        """Return True if the rows of an operator were read into a cache, maybe by an earlier execution."""
        return self._is_below(operator, "InMemoryTableScan")

    def is_below_rdd(self, operator: Operator) -> bool:
        """Return True if an earlier execution has computed an RDD from the rows of an operator.

        Spark 4.3 shows the plan of the RDD of a batch or checkpoint.
        """
        return self._is_below(operator, "Scan ExistingRDD")

    def _is_below(self, operator: Operator, name: str) -> bool:
        ancestors = self._ancestors(operator, lambda _: False)
        return any(ancestor.name.startswith(name) for ancestor in ancestors)

    def repeating_consumer(self, operator: Operator) -> str | None:
        """Return the name of an operator above that may have read rows more than once; None if none has."""
        for consumer in self._consumers_in_stage(operator):
            name = consumer.name
            if _samples(consumer):
                return _RANGE_EXCHANGE
            if name in _REPEATS or (name in _REPEATS_UNLESS_COMPILED and consumer.id not in self._compiled):
                return name
        return None

    def exchange_of_same_rows(self, operator: Operator) -> Operator | None:
        """Return the exchange above that sends exactly the rows of an operator; None if there is none."""
        *between, last = [*self._consumers_in_stage(operator)] or [operator]
        if last.name == "Exchange" and all(consumer.name in _KEEPS_ROW_COUNT for consumer in between):
            return last
        return None

    def _consumers_in_stage(self, operator: Operator) -> Iterator[Operator]:
        """Yield the operators above in the same stage, up to and including an exchange."""
        return self._ancestors(operator, _ends_stage)

    def _ancestors(self, operator: Operator, is_last: Callable[[Operator], bool]) -> Iterator[Operator]:
        pending, seen = [operator], {operator.id}
        while pending:
            for consumer in self._consumers.get(pending.pop().id, ()):
                if consumer.id in seen:
                    continue
                seen.add(consumer.id)
                yield consumer
                if not is_last(consumer):
                    pending.append(consumer)

    @cached_property
    def _consumers(self) -> dict[int, list[Operator]]:
        """The direct consumers of each operator, by its id."""
        by_id = {operator.id: operator for operator in self.operators}
        consumers: dict[int, list[Operator]] = {}
        for edge in self._graph["edges"]:
            consumers.setdefault(edge["fromId"], []).append(by_id[edge["toId"]])
        return consumers

    @cached_property
    def _compiled(self) -> set[int]:
        """The ids of operators in whole-stage code generation."""
        clusters = (node["nodes"] for node in self._graph["nodes"] if "nodes" in node)
        return {node["id"] for nodes in clusters for node in nodes}


def _ends_stage(operator: Operator) -> bool:
    return "Exchange" in operator.name or "Subquery" in operator.name


def _samples(operator: Operator) -> bool:
    return operator.name == "Exchange" and operator.description.startswith(_RANGE_EXCHANGE)
