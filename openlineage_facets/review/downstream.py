"""What is computed from a job, dataset or column."""

from __future__ import annotations

from functools import cache

from openlineage_facets.review.successors import Successors
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.column_edges import End, node_of


class Downstream:
    """Follows lineage from column to column, and from dataset to dataset where that of columns is unknown.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self._successors = Successors(lineage)
        self._ends = self._successors.ends
        self.of = cache(self._of)
        self._following = cache(self._following_of)

    def _of(self, start: End) -> frozenset[Node]:
        """Return the jobs and datasets that a change of one end reaches, without its own."""
        first = self._ends.of(start)
        reached, jobs, waiting = {first}, set[int](), [first]
        while waiting:
            following, by = self._following(waiting.pop())
            jobs |= by
            waiting += following - reached
            reached |= following
        nodes = {self._ends.nodes[number] for number in reached} | jobs
        return frozenset(node_of(self._ends.known[number]) for number in nodes - {self._ends.nodes[first]})

    def _following_of(self, number: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return what is computed from an end directly, and the jobs that do so. Many changes reach it."""
        end, after = self._ends.known[number], self._successors
        node = node_of(end)
        following = set(after.columns.get(number, ()))
        described = {self._ends.nodes[target] for target in following}
        jobs = set()
        for flow in after.flows.get(node, ()) if isinstance(node, DatasetId) else ():
            target = self._ends.node(flow.target)
            if not isinstance(end, ColumnId) or target not in after.described:
                following.add(target)
                jobs.add(self._ends.node(flow.job))
            elif target in described:
                jobs.add(self._ends.node(flow.job))
        for one in after.edges.get(node, ()):
            # What a job that writes something reads is followed by the flows.
            if isinstance(node, JobId) or not isinstance(one, JobId) or one not in after.edges:
                following.add(self._ends.node(one))
        return frozenset(following), frozenset(jobs)


def sort_key(node: Node) -> tuple[bool, str, str]:
    """Return the place of a job or dataset in a list: datasets come first."""
    return isinstance(node, JobId), node.namespace, node.name
