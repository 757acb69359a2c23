"""The ways that links take between the nodes of a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from openlineage_facets.graphs.lanes import lanes_of
from openlineage_facets.graphs.layout import layered
from openlineage_facets.graphs.links import Connections, links_of, node_of, nodes_of
from openlineage_facets.state import ColumnEdge, ColumnId, Lineage, Node


@dataclass(frozen=True, slots=True, order=True)
class Way:
    """The way of a link.

    Args:
        source: The number of the node where it starts.
        row: The row of the column where it starts, -1 for the node itself.
        target: The number of the node where it ends.
        target_row: The row where it ends.
        route: The points that it passes, and the nodes below which it passes.
    """

    source: int
    row: int
    target: int
    target_row: int
    route: tuple[int, ...]

    @property
    def is_of_columns(self) -> bool:
        """Whether the link starts or ends at a column."""
        return self.row >= 0 or self.target_row >= 0

    @property
    def track(self) -> tuple[int, ...]:
        """The name of its track: links of a source share one, those of columns have their own."""
        if not self.is_of_columns:
            return (self.source,)
        return (self.source, self.row, self.target, self.target_row)


@dataclass(frozen=True, slots=True)
class RoutedGraph:
    """A graph in layers.

    Args:
        numbers: The number of each node.
        layers: The nodes and points of each layer in order.
        lanes: The lane of each node and point. Those of a layer have different ones.
        links: The links between nodes.
        columns: The links between columns, with their transformations.
    """

    numbers: dict[Node, int]
    layers: list[list[int]]
    lanes: dict[int, int]
    links: list[Way]
    columns: list[tuple[Way, ColumnEdge]]


def steps_of(ways: Iterable[Way]) -> Iterator[tuple[int, int]]:
    """Yield what follows each other on the ways of links, in adjacent layers."""
    for way in ways:
        for start, end in pairwise((way.source, *way.route, way.target)):
            if start != end:  # A link turns at its own node.
                yield start, end


def routed(lineage: Lineage, rows: Mapping[ColumnId, int]) -> RoutedGraph:
    """Return the layers of a graph and the ways of its links.

    Args:
        lineage: The graph.
        rows: The row of each column in its dataset.
    """
    numbers: dict[Node, int] = {node: number for number, node in enumerate(nodes_of(lineage))}
    links = links_of(lineage)
    layout = layered(len(numbers), [(numbers[source], numbers[target]) for source, target in links])
    connections = Connections(links)
    columns = []
    for edge in lineage.columns:
        path = [numbers[node] for node in connections.path(node_of(edge.source), node_of(edge.target))]
        row, target_row = (
            rows[end] if isinstance(end, ColumnId) else -1 for end in (edge.source, edge.target)
        )
        columns.append((Way(path[0], row, path[-1], target_row, tuple(layout.route(path))), edge))
    links_with_routes = [
        Way(source, -1, target, -1, tuple(route)) for (source, target), route in layout.routes.items()
    ]
    return RoutedGraph(
        numbers,
        layout.layers,
        lanes_of(layout.layers, steps_of(links_with_routes), len(numbers)),
        links_with_routes,
        sorted(columns, key=lambda column: column[0]),
    )
