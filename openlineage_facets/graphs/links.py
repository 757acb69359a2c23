"""The links between jobs and datasets that a drawing shows."""

from __future__ import annotations

from openlineage_facets.state import ColumnEdge, ColumnId, Lineage, Node

__all__ = ["Link", "links_of", "node_of", "nodes_of"]

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
    targets: dict[Node, set[Node]] = {}
    for source, target in links:
        targets.setdefault(source, set()).add(target)
    for edge in lineage.columns:
        source, target = _ends(edge)
        direct = targets.get(source, set())
        connected = target in direct or any(target in targets.get(between, ()) for between in direct)
        if source != target and not connected:
            links[source, target] = None
    return tuple(links)


def node_of(end: ColumnId | Node) -> Node:
    """Return a job or dataset, or the dataset of a column."""
    return end.dataset if isinstance(end, ColumnId) else end


def _ends(edge: ColumnEdge) -> Link:
    return node_of(edge.source), node_of(edge.target)
