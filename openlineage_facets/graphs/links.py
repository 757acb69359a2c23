"""The links between jobs and datasets that a drawing shows."""

from __future__ import annotations

from collections.abc import Iterable

from openlineage_facets.state import ColumnId, Lineage, Node

__all__ = ["Connections", "Link", "links_of", "node_of", "nodes_of"]

Link = tuple[Node, Node]
"""Source and target of a data flow."""


def nodes_of(lineage: Lineage) -> tuple[Node, ...]:
    """Return all datasets, then all jobs."""
    return (*(dataset.id for dataset in lineage.datasets), *(job.id for job in lineage.jobs))


def links_of(lineage: Lineage) -> tuple[Link, ...]:
    """Return the links between jobs and datasets.

    Lineage of columns is a separate link unless a job, or an edge, already connects the two nodes. Links
    from a node to itself are left out.
    """
    links = {(edge.source, edge.target): None for edge in lineage.edges if edge.source != edge.target}
    connections = Connections(links)
    for edge in lineage.columns:
        source, target = node_of(edge.source), node_of(edge.target)
        if not connections.path(source, target):
            links[source, target] = None
    return tuple(links)


class Connections:
    """Which nodes are connected by a link, or by two with a node in between.

    Args:
        links: The links.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self._targets: dict[Node, dict[Node, None]] = {}
        for source, target in links:
            self._targets.setdefault(source, {})[target] = None

    def path(self, source: Node, target: Node) -> tuple[Node, ...]:
        """Return `source`, the node in between if there is one, and `target`.

        Return nothing if they are not connected. A node is connected with itself.
        """
        direct = self._targets.get(source, {})
        if source == target:
            return (source,)
        if target in direct:
            return (source, target)
        return next(((source, one, target) for one in direct if target in self._targets.get(one, ())), ())


def node_of(end: ColumnId | Node) -> Node:
    """Return a job or dataset, or the dataset of a column."""
    return end.dataset if isinstance(end, ColumnId) else end
