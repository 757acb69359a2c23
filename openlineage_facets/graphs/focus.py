"""Restrict a graph to what is upstream and downstream of some of its nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from openlineage_facets.graphs.labels import full_name
from openlineage_facets.graphs.links import Connections, Flows, links_of, nodes_of
from openlineage_facets.state import Lineage, Node
from openlineage_facets.state.column_edges import node_of


def focused(
    lineage: Lineage, names: Iterable[str], *, up: int | None = None, down: int | None = None
) -> Lineage:
    """Return the part of a graph around some jobs and datasets.

    Args:
        lineage: The graph.
        names: Names of jobs or datasets, as in `matching_nodes`.
        up: The greatest number of links upstream. A dataset and its job are one link apart. Default: all.
        down: The greatest number of links downstream. Default: all.

    Raises:
        ValueError: No job or dataset has one of the names, or several might be meant.

    Example:
        >>> focused(state.lineage(), ["curated/daily"], up=2, down=0)
    """
    flows = Flows(lineage)
    shown: set[Node] = set()
    for name in names:
        nodes = matching_nodes(lineage, name)
        shown |= flows.upstream(nodes, up) | flows.downstream(nodes, down)
    return restricted(lineage, shown)


def matching_nodes(lineage: Lineage, name: str) -> tuple[Node, ...]:
    """Return the jobs and datasets with a name.

    Args:
        lineage: The graph.
        name: A name, or a namespace and a name, as in `s3://lake/raw/orders`. If nothing has this name, the
            one job or dataset whose name ends with it after a slash or dot, or contains it.

    Raises:
        ValueError: No job or dataset has the name, or several contain it.
    """
    nodes = nodes_of(lineage)
    exact = tuple(node for node in nodes if name in (node.name, full_name(node)))
    if exact:
        return exact
    partial = tuple(node for node in nodes if name in full_name(node))
    ends = tuple(node for node in partial if full_name(node).endswith((f"/{name}", f".{name}")))
    for candidates in (ends, partial):
        if len(candidates) == 1:
            return candidates
    if not partial:
        raise ValueError(f"expected the name of a job or dataset, found {name!r}")
    shown = ", ".join(repr(full_name(node)) for node in partial[:5])
    more = f" and {len(partial) - 5} more" if len(partial) > 5 else ""
    raise ValueError(f"expected the name of one job or dataset, found {name!r}, which is in {shown}{more}")


def with_neighbours(lineage: Lineage, nodes: Collection[Node]) -> set[Node]:
    """Return some nodes, and those at the other ends of their edges."""
    links = ((edge.source, edge.target) for edge in lineage.edges)
    return {*nodes}.union(*(link for link in links if link[0] in nodes or link[1] in nodes))


def restricted(lineage: Lineage, nodes: Collection[Node]) -> Lineage:
    """Return the part of a graph between some of its nodes.

    Lineage of columns is kept where what connects their datasets is kept, such as a job.
    """
    connections = Connections(
        (source, target) for source, target in links_of(lineage) if source in nodes and target in nodes
    )
    return Lineage(
        tuple(
            edge
            if edge.inputs is None
            else replace(edge, inputs=tuple(filter(nodes.__contains__, edge.inputs)))
            for edge in lineage.edges
            if edge.source in nodes and edge.target in nodes
        ),
        tuple(
            edge
            for edge in lineage.columns
            if node_of(edge.source) in nodes
            and node_of(edge.target) in nodes
            and connections.path(node_of(edge.source), node_of(edge.target))
        ),
        tuple(job for job in lineage.jobs if job.id in nodes),
        tuple(dataset for dataset in lineage.datasets if dataset.id in nodes),
    )
