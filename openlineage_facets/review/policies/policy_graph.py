"""A lineage graph, as policies ask about it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain

from openlineage_facets.review.downstream import Successors
from openlineage_facets.review.stable_lineage import owners_of
from openlineage_facets.state import DatasetId, Flow, JobId, Lineage, LineageDataset, Node


class PolicyGraph(Successors):
    """A graph with what several policies need.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        super().__init__(lineage)
        self.writers: dict[DatasetId, list[JobId]] = defaultdict(list)
        self.readers: dict[DatasetId, list[JobId]] = defaultdict(list)
        for edge in lineage.edges:
            if isinstance(edge.source, JobId) and isinstance(edge.target, DatasetId):
                self.writers[edge.target].append(edge.source)
            elif isinstance(edge.source, DatasetId) and isinstance(edge.target, JobId):
                self.readers[edge.source].append(edge.target)

    @cached_property
    def next_flows(self) -> dict[DatasetId, list[Flow]]:
        """The flows from each dataset to others."""
        return {
            source: [flow for flow in flows if flow.target != source] for source, flows in self.flows.items()
        }

    def all_flows(self) -> Iterator[Flow]:
        """Return the flows between datasets, sorted."""
        return chain.from_iterable(self.flows.values())

    @cached_property
    def owners(self) -> Mapping[Node, tuple[str, ...]]:
        """The owners of jobs and datasets."""
        return {one.id: owners_of(one) for one in (*self.lineage.jobs, *self.lineage.datasets)}

    def datasets(self, patterns: Sequence[str]) -> Iterator[LineageDataset]:
        """Yield the datasets that a pattern matches."""
        return (one for one in self.lineage.datasets if matches(patterns, one.id))

    @cached_property
    def cycles(self) -> list[list[DatasetId]]:
        """The groups of datasets that are computed from each other, after all from which they are computed.

        A dataset that is in no cycle is a group alone.
        """
        return groups_in_order([one.id for one in self.lineage.datasets], self.next_flows)


def matches(patterns: Sequence[str], end: Node) -> bool:
    """Return whether a pattern matches `namespace/name` or the name of a job or dataset."""
    return any_match(tuple(patterns), end.name) or any_match(tuple(patterns), f"{end.namespace}/{end.name}")


def any_match(patterns: tuple[str, ...], text: str) -> bool:
    """Return whether a pattern matches the whole text; `*` is any text."""
    return any(_match(pattern, text) for pattern in patterns)


def _match(pattern: str, text: str) -> bool:
    """Find the parts between stars from left to right, in linear time."""
    first, *others = _parts(pattern)
    if not others:
        return text == first
    last = others.pop()
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in others:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


@lru_cache(maxsize=1_000)
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(re.split(r"\*+", pattern))


def groups_in_order(
    nodes: Iterable[DatasetId], flows: Mapping[DatasetId, Sequence[Flow]]
) -> list[list[DatasetId]]:
    """Return the strongly connected components of datasets, sources first (Tarjan, without recursion)."""
    index: dict[DatasetId, int] = {}
    low: dict[DatasetId, int] = {}
    stack: list[DatasetId] = []
    groups: list[list[DatasetId]] = []
    finished: set[DatasetId] = set()
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        work = [(root, iter(flows.get(root, ())))]
        while work:
            node, remaining = work[-1]
            flow = next(remaining, None)
            if flow is not None:
                target = flow.target
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    work.append((target, iter(flows.get(target, ()))))
                elif target not in finished:
                    low[node] = min(low[node], index[target])
                continue
            work.pop()
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
            if low[node] == index[node]:
                at = stack.index(node) if stack[-1] != node else len(stack) - 1
                group = stack[at:]
                del stack[at:]
                finished.update(group)
                groups.append(group)
    groups.reverse()
    return groups
