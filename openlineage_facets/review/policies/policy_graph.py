"""A lineage graph, as policies ask about it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from openlineage_facets.review.downstream import Link, Successors
from openlineage_facets.review.reviewed_lineage import entities_of, owners_of
from openlineage_facets.state import DatasetId, JobId, Lineage, LineageDataset, Node


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
    def data_flows(self) -> list[Link]:
        """The links without those of which lineage of columns says that they carry no data."""
        return [link for link in self.links if link.has_columns or not link.is_described]

    @cached_property
    def next_links(self) -> dict[DatasetId, list[Link]]:
        """The links from each dataset to others."""
        found: dict[DatasetId, list[Link]] = defaultdict(list)
        for link in self.data_flows:
            if link.source != link.target:
                found[link.source].append(link)
        return found

    @cached_property
    def owners(self) -> Mapping[Node, tuple[str, ...]]:
        """The owners of jobs and datasets."""
        return {one.id: owners_of(one) for one in entities_of(self.lineage)}

    def datasets(self, patterns: Sequence[str]) -> Iterator[LineageDataset]:
        """Yield the datasets that a pattern matches."""
        return (one for one in self.lineage.datasets if matches(patterns, one.id))

    @cached_property
    def cycles(self) -> list[list[DatasetId]]:
        """The groups of datasets that are computed from each other, after all from which they are computed.

        A dataset that is in no cycle is a group alone.
        """
        return groups_in_order([one.id for one in self.lineage.datasets], self.next_links)


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
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


@lru_cache(maxsize=1_000)
def _parts(pattern: str) -> tuple[str, ...]:
    return tuple(re.split(r"\*+", pattern))


def groups_in_order(
    nodes: Iterable[DatasetId], links: Mapping[DatasetId, Sequence[Link]]
) -> list[list[DatasetId]]:
    """Return the strongly connected components of datasets, sources first (Kosaraju, without recursion)."""
    after = {node: [link.target for link in links.get(node, ())] for node in nodes}
    before: dict[DatasetId, list[DatasetId]] = {node: [] for node in after}
    for node, targets in after.items():
        for target in targets:
            before[target].append(node)
    visited: set[DatasetId] = set()
    last_first = reversed([node for root in after for node in _finished(root, after, visited)])
    visited = set()
    groups = (list(_finished(root, before, visited)) for root in last_first)
    return [group for group in groups if group]


def _finished(
    root: DatasetId, following: Mapping[DatasetId, Iterable[DatasetId]], visited: set[DatasetId]
) -> Iterator[DatasetId]:
    """Visit everything that follows a dataset. Yield each one after all that follows it."""
    if root in visited:
        return
    visited.add(root)
    path = [(root, iter(following[root]))]
    while path:
        node, remaining = path[-1]
        target = next((one for one in remaining if one not in visited), None)
        if target is None:
            path.pop()
            yield node
        else:
            visited.add(target)
            path.append((target, iter(following[target])))
