"""A lineage graph, as policies ask about it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from openlineage_facets.review.downstream import Flows, Successors
from openlineage_facets.review.paths import grouped
from openlineage_facets.review.reviewed_lineage import entities_of, owners_of
from openlineage_facets.state import DatasetId, JobId, LineageDataset, Node
from openlineage_facets.state.lineage import Transfer

K = TypeVar("K", bound=Hashable)


class PolicyGraph(Successors):
    """A graph with what several policies need.

    Args:
        lineage: The graph.
    """

    @cached_property
    def readers(self) -> dict[Node, list[JobId]]:
        """The jobs that read each dataset."""
        ends = ((edge.source, edge.target) for edge in self.lineage.edges)
        return grouped((source, job) for source, job in ends if isinstance(job, JobId))

    @cached_property
    def writers(self) -> dict[Node, list[JobId]]:
        """The jobs that write each dataset."""
        ends = ((edge.target, edge.source) for edge in self.lineage.edges)
        return grouped((target, job) for target, job in ends if isinstance(job, JobId))

    @cached_property
    def flows(self) -> Flows:
        """The transfers without the flows of which lineage of columns says that they carry no data."""
        transfers = [transfer for transfer in self.transfers if not transfer.columns]
        columns = ((one.job, *described) for one in self.transfers for described in one.columns.items())
        return Flows([*transfers, *(Transfer(job, sources, [target]) for job, target, sources in columns)])

    @cached_property
    def owners(self) -> Mapping[Node, tuple[str, ...]]:
        """The owners of jobs and datasets."""
        return {entity.id: owners_of(entity) for entity in entities_of(self.lineage)}

    def datasets(self, patterns: Sequence[str]) -> Iterator[LineageDataset]:
        """Yield the datasets that a pattern matches."""
        return (dataset for dataset in self.lineage.datasets if matches(patterns, dataset.id))

    @cached_property
    def cycles(self) -> list[list[DatasetId]]:
        """The groups of datasets that are computed from each other, after all from which they are computed.

        A dataset that is in no cycle is a group alone.
        """
        after: dict[DatasetId | Transfer, Sequence[DatasetId | Transfer]] = {
            dataset.id: self.flows.by_source[dataset.id] for dataset in self.lineage.datasets
        }
        after |= {flow: flow.targets for flows in self.flows.by_target.values() for flow in flows}
        groups = ([node for node in group if isinstance(node, DatasetId)] for group in groups_in_order(after))
        return [group for group in groups if group]


def matches(patterns: Sequence[str], end: Node) -> bool:
    """Return whether a pattern matches `namespace/name` or the name of a job or dataset."""
    return any_match(patterns, end.name) or any_match(patterns, f"{end.namespace}/{end.name}")


def any_match(patterns: Sequence[str], text: str) -> bool:
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
        place = text.find(part, at, end)
        if place < 0:
            return False
        at = place + len(part)
    return True


@lru_cache(maxsize=1_000)
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(re.split(r"\*+", pattern))


def groups_in_order(after: Mapping[K, Sequence[K]]) -> list[list[K]]:
    """Return the strongly connected components of a graph, sources first (Kosaraju, without recursion)."""
    before = grouped((target, node) for node, targets in after.items() for target in targets)
    visited: set[K] = set()
    last_first = reversed([node for root in after for node in _finished(root, after, visited)])
    visited = set()
    groups = (list(_finished(root, before, visited)) for root in last_first)
    return [group for group in groups if group]


def _finished(root: K, following: Mapping[K, Sequence[K]], visited: set[K]) -> Iterator[K]:
    """Visit everything that follows a node. Yield each one after all that follows it."""
    if root in visited:
        return
    visited.add(root)
    path = [(root, iter(following.get(root, ())))]
    while path:
        node, remaining = path[-1]
        target = next((after for after in remaining if after not in visited), None)
        if target is None:
            path.pop()
            yield node
        else:
            visited.add(target)
            path.append((target, iter(following.get(target, ()))))
