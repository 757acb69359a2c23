"""What is computed from a job, dataset or column."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from openlineage_facets.review.facts import End, node_of_end
from openlineage_facets.state import ColumnId, JobId, Lineage, Node
from openlineage_facets.state.by_identity import by_identity


class Downstream:
    """Follows lineage from column to column, and from dataset to dataset where that of columns is unknown.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self._columns: dict[End, list[End]] = defaultdict(list)
        targets_of = by_identity(self._columns.__getitem__)
        for edge in lineage.columns:
            targets_of(edge.source).append(edge.target)
        described = {id(edge.target): edge.target for edge in lineage.columns}
        self._has_columns = {node_of_end(target) for target in described.values()}
        self._flows: dict[Node, list[tuple[Node, JobId | None]]] = defaultdict(list)
        self._writers: dict[tuple[Node, Node], list[JobId]] = defaultdict(list)
        for flow in lineage.flows():
            self._flows[flow.source].append((flow.target, flow.job))
            self._writers[flow.source, flow.target].append(flow.job)
        self._ends: dict[Node, list[Node]] = defaultdict(list)
        writing = {one.source for one in lineage.edges if isinstance(one.source, JobId)}
        for one in lineage.edges:
            if isinstance(one.source, JobId) or one.target not in writing:
                self._ends[one.source].append(one.target)
        self.of = lru_cache(maxsize=None)(self._of)
        self._following = lru_cache(maxsize=None)(self._following_of)

    def _of(self, start: End) -> frozenset[Node]:
        """Return the jobs and datasets that a change of one end reaches, without its own."""
        reached: set[End] = {start}
        jobs: set[Node] = set()
        waiting = [start]
        while waiting:
            following, by = self._following(waiting.pop())
            jobs |= by
            waiting += following - reached
            reached |= following
        nodes = {node_of_end(end) for end in reached} | jobs
        return frozenset(nodes - {node_of_end(start)})

    def _following_of(self, end: End) -> tuple[frozenset[End], frozenset[JobId]]:
        """Return what is computed from an end directly, and the jobs that do so. Many changes reach it."""
        node = node_of_end(end)
        columns = self._columns.get(end, ())
        flows = [
            (target, job)
            for target, job in self._flows.get(node, ())
            if not isinstance(end, ColumnId) or target not in self._has_columns
        ]
        jobs = {job for one in set(map(node_of_end, columns)) for job in self._writers.get((node, one), ())}
        jobs.update(job for _, job in flows if job is not None)
        targets = (target for target, _ in flows)
        return frozenset((*columns, *targets, *self._ends.get(node, ()))), frozenset(jobs)


def sort_key(node: Node) -> tuple[bool, str, str]:
    """Return the place of a job or dataset in a list: datasets come first."""
    return isinstance(node, JobId), node.namespace, node.name
