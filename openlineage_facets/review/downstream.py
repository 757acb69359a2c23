"""What follows the jobs, datasets and columns of a lineage graph, directly and through others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from operator import attrgetter
from typing import NamedTuple

from openlineage_facets.review.paths import grouped
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.column_edges import ColumnEdges, End, node_of


class Link(NamedTuple):
    """Data flow from a dataset to another; by no known job if only facets of datasets report it."""

    source: DatasetId
    target: DatasetId
    job: JobId | None
    is_described: bool = False
    """Whether columns describe the target. Otherwise any column of the source may be in it."""
    has_columns: bool = False
    """Whether a column of the source contributes to the target or decides about its rows."""

    @property
    def ends(self) -> tuple[Node, ...]:
        """The source, and the job if it is known."""
        return (self.source,) if self.job is None else (self.source, self.job)


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
        self._parts_of_columns = cache(self._find_parts_of_columns)

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

    def _find_parts_of_columns(self, dataset: DatasetId) -> dict[str, list[int]]:
        """Return the nested columns of each column by its name."""
        columns = self.ends.columns(dataset).items()
        return grouped((parent, number) for name, number in columns for parent in _parents(name))

    @cached_property
    def edges(self) -> dict[Node, list[Node]]:
        """The jobs and datasets after each job and dataset."""
        return grouped((edge.source, edge.target) for edge in self.lineage.edges)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The flows between datasets by jobs, then those that only facets of datasets report; each sorted."""
        flows, known = self.lineage.flows(), self.ends.known
        ends = attrgetter("source", "target")
        columns = {(known[source], known[target]) for source, target in self.column_edges.nodes()}
        described = {(flow.job, flow.target) for flow in flows if ends(flow) in columns}
        described -= {ends(edge) for edge in self.lineage.edges if not edge.has_columns}
        others = columns.union(map(ends, self.lineage.edges))
        others.difference_update(map(ends, flows))  # Their jobs are known better.
        links = [
            *(Link(*ends(flow), flow.job, (flow.job, flow.target) in described) for flow in flows),
            *sorted(
                Link(source, target, None, (source, target) in columns)
                for source, target in others
                if isinstance(source, DatasetId) and isinstance(target, DatasetId)
            ),
        ]
        return tuple(link._replace(has_columns=link[:2] in columns) for link in links)

    @cached_property
    def links_from(self) -> dict[Node, list[Link]]:
        """The links from each dataset."""
        return grouped((link.source, link) for link in self.links)


def _parents(name: str) -> Iterator[str]:
    """Yield the names of the columns that contain a nested one."""
    at = name.find(".")
    while at > 0:
        yield name[:at]
        at = name.find(".", at + 1)


class Downstream(Successors):
    """Follows lineage from column to column, and from dataset to dataset where that of columns is unknown.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        super().__init__(lineage)
        self._following = cache(self._following_of)

    def of(self, starts: Iterable[End], most: int | None = None) -> set[Node]:
        """Return the jobs and datasets that changes of some ends reach, without their own.

        Args:
            starts: The ends.
            most: How many are enough; then the nearest ones are returned, which may be a few more.
        """
        waiting = {self.ends.of(start) for start in starts}
        own = {self.ends.nodes[number] for number in waiting}
        reached, nodes = {*waiting}, set[int]()
        while waiting and (most is None or len(nodes) < most):
            following = set[int]()
            for number in waiting:
                after, passed = self._following(number)
                following |= after
                nodes |= passed
            nodes -= own
            waiting = following - reached
            reached |= waiting
        return {node_of(self.ends.known[number]) for number in nodes}

    def outputs_from(self, source: DatasetId, job: JobId) -> set[DatasetId]:
        """Return what a job computes from one of its inputs."""
        return {link.target for link in self.links_from.get(source, ()) if link.job == job}

    def _following_of(self, number: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return what is computed from an end directly, and the jobs and datasets on the way.

        Many changes reach it.
        """
        end = self.ends.known[number]
        node = node_of(end)
        following = {target for _, target in self.columns_after(number)}
        described = {self.ends.nodes[target] for target in following}
        jobs = set()
        for link in self.links_from.get(node, ()):
            target = self.ends.node(link.target)
            is_unknown = not isinstance(end, ColumnId) or not link.is_described
            if is_unknown:
                following.add(target)
            if link.job is not None and (is_unknown or target in described):
                jobs.add(self.ends.node(link.job))
        for target_node in self.edges.get(node, ()):
            # What a job that writes something reads is followed by the links.
            is_last_job = isinstance(target_node, JobId) and target_node not in self.edges
            if isinstance(node, JobId) or is_last_job:
                following.add(self.ends.node(target_node))
        nodes = {self.ends.nodes[target] for target in following}
        return frozenset(following), frozenset(nodes | jobs)
