"""The links between jobs and datasets, and the columns, that a drawing shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from openlineage_facets.state import ColumnId, DatasetId, Lineage, LineageColumn, Node
from openlineage_facets.state.column_edges import node_of

Link = tuple[Node, Node]
"""Source and target of a data flow."""

_Place: TypeAlias = "tuple[Node, Node | None]"
"""A node; or a job and one of its outputs, if not all inputs of the job feed it."""


def nodes_of(lineage: Lineage) -> tuple[Node, ...]:
    """Return all datasets, then all jobs."""
    return (*(dataset.id for dataset in lineage.datasets), *(job.id for job in lineage.jobs))


def links_of(lineage: Lineage) -> tuple[Link, ...]:
    """Return the links between jobs and datasets.

    Lineage of columns, and that of datasets which a facet names without the job between them, is a separate
    link unless a job already connects the two nodes. Links from a node to itself are left out.
    """
    ends = [(edge.source, edge.target) for edge in lineage.edges if edge.source != edge.target]
    of_facets = dict.fromkeys(link for link in ends if all(isinstance(node, DatasetId) for node in link))
    links = dict.fromkeys(link for link in ends if link not in of_facets)
    connections = Connections(links)
    of_columns = ((node_of(edge.source), node_of(edge.target)) for edge in lineage.columns)
    for source, target in (*of_facets, *of_columns):
        if not connections.path(source, target):
            links[source, target] = None
    return tuple(links)


def columns_with_lineage(lineage: Lineage) -> dict[DatasetId, tuple[LineageColumn, ...]]:
    """Return the columns at which lineage starts or ends, by dataset."""
    ends = {end for edge in lineage.columns for end in (edge.source, edge.target)}
    return {
        dataset.id: tuple(column for column in dataset.columns if ColumnId(dataset.id, column.name) in ends)
        for dataset in lineage.datasets
    }


class Flows:
    """What is upstream and downstream of a node, in numbers of links.

    A job passes on its inputs to the outputs that they feed, which its runs may have declared.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        declared = {
            (edge.source, edge.target): edge.inputs for edge in lineage.edges if edge.inputs is not None
        }
        self._writes: dict[Node, list[_Place]] = {}
        self._targets: dict[_Place, list[_Place]] = {}
        self._sources: dict[_Place, list[_Place]] = {}
        for source, target in links_of(lineage):
            if (source, target) in declared:
                write = source, target
                self._writes.setdefault(source, []).append(write)
                self._add(write, (target, None))
                for dataset in declared[source, target]:
                    self._add((dataset, None), write)
            else:
                self._add((source, None), (target, None))

    def _add(self, source: _Place, target: _Place) -> None:
        self._targets.setdefault(source, []).append(target)
        self._sources.setdefault(target, []).append(source)

    def upstream(self, nodes: Iterable[Node], steps: int | None = None) -> set[Node]:
        """Return what leads to some nodes in at most so many links, with these nodes."""
        return self._reached(nodes, self._sources, steps)

    def downstream(self, nodes: Iterable[Node], steps: int | None = None) -> set[Node]:
        """Return what some nodes lead to in at most so many links, with these nodes."""
        return self._reached(nodes, self._targets, steps)

    def _reached(
        self, nodes: Iterable[Node], following: Mapping[_Place, list[_Place]], steps: int | None
    ) -> set[Node]:
        reached: set[_Place] = {
            place for node in nodes for place in (*self._writes.get(node, ()), (node, None))
        }
        latest: Collection[_Place] = reached
        step = 0
        while latest and (steps is None or step < steps):
            latest = {target for place in latest for target in following.get(place, ())} - reached
            reached |= latest
            step += 1
        return {node for node, _ in reached}


class Connections:
    """Which nodes are connected by a link, or by two with a node in between.

    Args:
        links: The links.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self._targets: dict[Node, dict[Node, int]] = {}
        """The targets of each node with their order."""
        self._sources: dict[Node, dict[Node, None]] = {}
        for source, target in links:
            targets = self._targets.setdefault(source, {})
            targets.setdefault(target, len(targets))
            self._sources.setdefault(target, {})[source] = None

    def path(self, source: Node, target: Node) -> tuple[Node, ...]:
        """Return `source`, the node in between if there is one, and `target`.

        Return nothing if they are not connected. A node is connected with itself.
        """
        direct = self._targets.get(source, {})
        if source == target:
            return (source,)
        if target in direct:
            return (source, target)
        # Python looks up each key of the smaller one in the other.
        middles = direct.keys() & self._sources.get(target, {}).keys()
        return (source, min(middles, key=direct.__getitem__), target) if middles else ()
