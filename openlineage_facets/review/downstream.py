"""What follows the jobs, datasets and columns of a lineage graph, directly and through others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache, cached_property

from openlineage_facets.state import ColumnId, DatasetId, Flow, JobId, Lineage, Node
from openlineage_facets.state.column_edges import ColumnEdges, End, node_of


class Successors:
    """The edges of a graph by the end where they begin.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self.lineage = lineage
        self.column_edges = ColumnEdges.of(lineage.columns)
        self.ends = self.column_edges.ends
        """The numbers of the ends of column edges."""

    @cached_property
    def columns(self) -> dict[int, list[int]]:
        """The targets of column edges by their source."""
        return self.column_edges.by_source()

    @cached_property
    def described(self) -> set[int]:
        """What has edges of columns. Others may contain every column of what they are computed from."""
        return {self.ends.nodes[target] for target in self.column_edges.targets()}

    @cached_property
    def edges(self) -> dict[Node, list[Node]]:
        """The jobs and datasets after each job and dataset."""
        found: dict[Node, list[Node]] = defaultdict(list)
        for edge in self.lineage.edges:
            found[edge.source].append(edge.target)
        return found

    @cached_property
    def all_flows(self) -> tuple[Flow, ...]:
        """The flows between datasets, sorted."""
        return self.lineage.flows()

    @cached_property
    def flows(self) -> dict[DatasetId, list[Flow]]:
        """The flows from each dataset."""
        found: dict[DatasetId, list[Flow]] = defaultdict(list)
        for flow in self.all_flows:
            found[flow.source].append(flow)
        return found


class Downstream:
    """Follows lineage from column to column, and from dataset to dataset where that of columns is unknown.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self._successors = Successors(lineage)
        self._ends = self._successors.ends
        self._following = cache(self._following_of)

    def of(self, starts: Iterable[End]) -> set[Node]:
        """Return the jobs and datasets that changes of some ends reach, without their own."""
        waiting = [self._ends.of(start) for start in starts]
        own = {self._ends.nodes[number] for number in waiting}
        reached, jobs = {*waiting}, set[int]()
        while waiting:
            following, by = self._following(waiting.pop())
            jobs |= by
            waiting += following - reached
            reached |= following
        nodes = {self._ends.nodes[number] for number in reached} | jobs
        return {node_of(self._ends.known[number]) for number in nodes - own}

    def _following_of(self, number: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return what is computed from an end directly, and the jobs that do so. Many changes reach it."""
        end, after = self._ends.known[number], self._successors
        node = node_of(end)
        following = set(after.columns.get(number, ()))
        described = {self._ends.nodes[target] for target in following}
        jobs = set()
        for flow in after.flows.get(node, ()) if isinstance(node, DatasetId) else ():
            target = self._ends.node(flow.target)
            is_unknown = not isinstance(end, ColumnId) or target not in after.described
            if is_unknown or target in described:
                jobs.add(self._ends.node(flow.job))
            if is_unknown:
                following.add(target)
        for one in after.edges.get(node, ()):
            # What a job that writes something reads is followed by the flows.
            if isinstance(node, JobId) or not isinstance(one, JobId) or one not in after.edges:
                following.add(self._ends.node(one))
        return frozenset(following), frozenset(jobs)
