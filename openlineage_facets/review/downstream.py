"""What follows the jobs, datasets and columns of a lineage graph, directly and through others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
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
        self._parts: dict[DatasetId, dict[str, list[int]]] = {}

    @cached_property
    def columns(self) -> dict[int, list[int]]:
        """The targets of column edges by their source."""
        return self.column_edges.by_source()

    def columns_after(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the targets of an end, and those of its dataset and of columns above or below it.

        Each has the source before it: `person.email` contributes to what is computed from `person`, and the
        other way round.
        """
        end = self.ends.known[number]
        sources = [number]
        if isinstance(end, ColumnId):
            numbers = self.ends.columns(end.dataset)
            sources += [numbers[name] for name in _parents(end.name) if name in numbers]
            sources += [*self._parts_of_columns(end.dataset).get(end.name, ()), self.ends.nodes[number]]
        for source in sources:
            for target in self.columns.get(source, ()):
                yield source, target

    def is_described(self, flow: Flow) -> bool:
        """Return whether columns describe a flow. Otherwise any column of the source may be in the target."""
        return (flow.job, flow.target) in self._described

    @cached_property
    def undescribed(self) -> dict[DatasetId, list[DatasetId]]:
        """What may contain any column of each dataset, itself left out."""
        pairs: dict[tuple[DatasetId, DatasetId], bool] = {}
        for flow in self.all_flows:
            ends = flow.source, flow.target
            pairs[ends] = pairs.get(ends, False) or not self.is_described(flow)
        for source, targets in self.edges.items():
            for target in targets:
                if isinstance(source, DatasetId) and isinstance(target, DatasetId):
                    # The jobs of these datasets, if there are some, are known better.
                    pairs.setdefault((source, target), not self._has_columns(source, target))
        found: dict[DatasetId, list[DatasetId]] = defaultdict(list)
        for (source, target), is_unknown in pairs.items():
            if is_unknown and source != target:
                found[source].append(target)
        return found

    @cached_property
    def _described(self) -> set[tuple[JobId, DatasetId]]:
        """The outputs of jobs to which columns of an input contribute, if the jobs report any."""
        found = {
            (flow.job, flow.target) for flow in self.all_flows if self._has_columns(flow.source, flow.target)
        }
        return found - {(edge.source, edge.target) for edge in self.lineage.edges if not edge.has_columns}

    def _has_columns(self, source: DatasetId, target: DatasetId) -> bool:
        return (self.ends.node(source), self.ends.node(target)) in self._described_nodes

    @cached_property
    def _described_nodes(self) -> set[tuple[int, int]]:
        return self.column_edges.nodes()

    def _parts_of_columns(self, dataset: DatasetId) -> Mapping[str, list[int]]:
        """Return the nested columns of each column by its name."""
        found = self._parts.get(dataset)
        if found is None:
            found = self._parts[dataset] = defaultdict(list)
            for name, number in self.ends.columns(dataset).items():
                for parent in _parents(name):
                    found[parent].append(number)
        return found

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


def _parents(name: str) -> Iterator[str]:
    """Yield the names of the columns that contain a nested one."""
    at = name.find(".")
    while at > 0:
        yield name[:at]
        at = name.find(".", at + 1)


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

    def outputs_from(self, source: DatasetId, job: JobId) -> set[DatasetId]:
        """Return what a job computes from one of its inputs."""
        return {flow.target for flow in self._successors.flows.get(source, ()) if flow.job == job}

    def _following_of(self, number: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return what is computed from an end directly, and the jobs that do so. Many changes reach it."""
        end, after = self._ends.known[number], self._successors
        node = node_of(end)
        following = {target for _, target in after.columns_after(number)}
        described = {self._ends.nodes[target] for target in following}
        jobs = set()
        for flow in after.flows.get(node, ()) if isinstance(node, DatasetId) else ():
            target = self._ends.node(flow.target)
            is_unknown = not isinstance(end, ColumnId) or not after.is_described(flow)
            if is_unknown or target in described:
                jobs.add(self._ends.node(flow.job))
            if is_unknown:
                following.add(target)
        if isinstance(end, ColumnId):
            following.update(map(self._ends.node, after.undescribed.get(end.dataset, ())))
        for one in after.edges.get(node, ()):
            # What a job that writes something reads is followed by the flows.
            is_followed = one not in after.edges if isinstance(one, JobId) else not isinstance(end, ColumnId)
            if isinstance(node, JobId) or is_followed:
                following.add(self._ends.node(one))
        return frozenset(following), frozenset(jobs)
