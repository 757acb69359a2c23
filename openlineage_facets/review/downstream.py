"""What follows the jobs, datasets and columns of a lineage graph, directly and through others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from openlineage_facets.review.paths import grouped
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, Node
from openlineage_facets.state.column_edges import ColumnEdges, End, node_of
from openlineage_facets.state.lineage import Transfer


class Link(NamedTuple):
    """Data flow from a dataset to another; by no known job if only facets of datasets report it."""

    source: DatasetId
    target: DatasetId
    job: JobId | None

    @property
    def ends(self) -> tuple[Node, ...]:
        """The source, and the job if it is known."""
        return (self.source,) if self.job is None else (self.source, self.job)


class Flows:
    """Transfers by their ends.

    Args:
        transfers: The transfers.
    """

    def __init__(self, transfers: Sequence[Transfer]) -> None:
        self.by_source = defaultdict(list, grouped((end, flow) for flow in transfers for end in flow.sources))
        self.by_target = defaultdict(list, grouped((end, flow) for flow in transfers for end in flow.targets))

    def new_links(self) -> Callable[[DatasetId], list[Link]]:
        """Return a function that returns the links from a dataset to others to which no earlier call led.

        A search that visits each dataset once needs no more, and takes as long as the graph is large.
        """
        remaining: dict[Transfer, Sequence[DatasetId]] = {}

        def links_from(source: DatasetId) -> list[Link]:
            links: list[Link] = []
            for flow in self.by_source[source]:
                targets = remaining.get(flow, flow.targets)
                links += [Link(source, target, flow.job) for target in targets if target != source]
                remaining[flow] = [target for target in targets if target == source]
            return sorted(links)

        return links_from


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
            sources += [numbers[name] for name in parents(end.name) if name in numbers]
            sources += [*self._parts_of_columns(end.dataset).get(end.name, ()), self.ends.nodes[number]]
        for source in sources:
            for target in self.columns.get(source, ()):
                yield source, target

    def _find_parts_of_columns(self, dataset: DatasetId) -> dict[str, list[int]]:
        """Return the nested columns of each column by its name."""
        columns = self.ends.columns(dataset).items()
        return grouped((parent, number) for name, number in columns for parent in parents(name))

    @cached_property
    def edges(self) -> dict[Node, list[Node]]:
        """The jobs and datasets after each job and dataset."""
        return grouped((edge.source, edge.target) for edge in self.lineage.edges)

    @cached_property
    def transfers(self) -> list[Transfer]:
        """The data flows between datasets."""
        return self.lineage.transfers()


def parents(name: str) -> Iterator[str]:
    """Yield the names of the columns that may contain a nested one."""
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
        self._flows = Flows(self.transfers)
        self._following, self._targets = cache(self._following_of), cache(self._targets_of)

    def of(self, starts: Iterable[End], most: int | None = None) -> set[Node]:
        """Return the jobs and datasets that changes of some ends reach, without their own.

        Args:
            starts: The ends.
            most: How many are enough; then the nearest ones are returned, which may be a few more.
        """
        waiting = {self.ends.of(start) for start in starts}
        own = {self.ends.nodes[number] for number in waiting}
        reached, nodes, passed = {*waiting}, set[int](), set[Transfer]()
        while waiting and (most is None or len(nodes) < most):
            following, transfers = set[int](), set[Transfer]()
            for number in waiting:
                after, through, jobs = self._following(number)
                following |= after
                transfers |= through
                nodes |= jobs
            following.update(*map(self._targets, transfers - passed))
            passed |= transfers
            waiting = following - reached
            reached |= waiting
            nodes.update(self.ends.nodes[number] for number in waiting)
            nodes -= own
        return {node_of(self.ends.known[number]) for number in nodes}

    def outputs_from(self, source: DatasetId, job: JobId) -> set[DatasetId]:
        """Return what a job computes from one of its inputs."""
        transfers = self._flows.by_source[source]
        return {target for transfer in transfers if transfer.job == job for target in transfer.targets}

    def _following_of(self, number: int) -> tuple[frozenset[int], frozenset[Transfer], frozenset[int]]:
        """Return what follows an end directly: ends, transfers of which all targets do, and jobs on the way.

        Many changes reach it.
        """
        end = self.ends.known[number]
        node = node_of(end)
        following = {target for _, target in self.columns_after(number)}
        described = {self.ends.nodes[target] for target in following}
        through, jobs = set(), set()
        for transfer in self._flows.by_source[node] if isinstance(node, DatasetId) else ():
            is_unknown = not isinstance(end, ColumnId) or not transfer.columns
            if is_unknown:
                through.add(transfer)
            if transfer.job is not None and (is_unknown or not described.isdisjoint(self._targets(transfer))):
                jobs.add(self.ends.node(transfer.job))
        for target_node in self.edges.get(node, ()):
            # What a job that writes something reads is followed by the transfers.
            is_last_job = isinstance(target_node, JobId) and target_node not in self.edges
            if isinstance(node, JobId) or is_last_job:
                following.add(self.ends.node(target_node))
        return frozenset(following), frozenset(through), frozenset(jobs)

    def _targets_of(self, transfer: Transfer) -> frozenset[int]:
        return frozenset(map(self.ends.node, transfer.targets))
