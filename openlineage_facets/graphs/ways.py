"""The lanes of the nodes of a drawing, and the ways that links take between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor

from openlineage_facets.graphs.layout import Layout, layered
from openlineage_facets.graphs.links import Connections, links_of, nodes_of
from openlineage_facets.state import ColumnEdge, ColumnId, Lineage, Node
from openlineage_facets.state.column_edges import node_of

_SWEEPS = 8
_WHOLE_SWEEPS = 4
"""Sweeps over whole numbers, in which nodes reach the same lane as their neighbours."""

_LINK_WEIGHT = 4
"""How much more a link keeps its lane than a node does, so that links are straight."""


def lanes_of(layers: Sequence[Sequence[int]], steps: Iterable[tuple[int, int]], nodes: int) -> dict[int, int]:
    """Return the lane of each node and point: near its neighbours, in the order of its layer.

    Args:
        layers: The nodes and points of each layer in order.
        steps: The neighbours of each other, in adjacent layers.
        nodes: The number of nodes. Points have the numbers after them.
    """
    layer_of = {item: layer for layer, items in enumerate(layers) for item in items}
    sides: tuple[dict[int, list[int]], ...] = ({}, {})
    for ends in steps:
        left, right = sorted(ends, key=layer_of.__getitem__)
        sides[0].setdefault(right, []).append(left)
        sides[1].setdefault(left, []).append(right)
    lanes = {item: float(lane) for items in layers for lane, item in enumerate(items)}
    for sweep in range(_SWEEPS + _WHOLE_SWEEPS):
        neighbours = sides[sweep % 2]
        for items in reversed(layers) if sweep % 2 else layers:
            wanted = [_mean([lanes[other] for other in neighbours.get(item, (item,))]) for item in items]
            weights = [1 if item < nodes else _LINK_WEIGHT for item in items]
            lanes.update(zip(items, _apart(wanted, weights, whole=sweep >= _SWEEPS), strict=True))
    return _merged(lanes, layer_of)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _apart(wanted: Sequence[float], weights: Sequence[int], *, whole: bool) -> list[float]:
    """Return numbers that are at least 1 apart, as close as possible to those wanted."""
    blocks: list[tuple[int, int, float]] = []  # Size, weight, and the sum of the wanted starts by weight.
    for place, (lane, weight) in enumerate(zip(wanted, weights, strict=True)):
        size, total = 1, weight * (lane - place)
        # What would overlap forms a block, which moves to the mean of what its members want.
        while blocks and blocks[-1][2] / blocks[-1][1] > total / weight:
            size_before, weight_before, total_before = blocks.pop()
            size, weight, total = size + size_before, weight + weight_before, total + total_before
        blocks.append((size, weight, total))
    starts = [total / weight for size, weight, total in blocks for _ in range(size)]
    return [(floor(start + 0.501) if whole else start) + place for place, start in enumerate(starts)]


def _merged(lanes: Mapping[int, float], layer_of: Mapping[int, int]) -> dict[int, int]:
    """Return numbers of lanes, one for neighbouring lanes that use different layers."""
    members: dict[float, list[int]] = {}
    for item, lane in lanes.items():
        members.setdefault(lane, []).append(item)
    merged: dict[int, int] = {}
    used: set[int] = set()
    number = 0
    for lane in sorted(members):
        layers = {layer_of[item] for item in members[lane]}
        if used & layers:
            used, number = set(), number + 1
        used |= layers
        merged.update(dict.fromkeys(members[lane], number))
    return merged


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
class Grid:
    """Nodes and links in layers and lanes.

    Args:
        layers: The nodes and points of each layer in order.
        lanes: The lane of each node and point. Those of a layer have different ones.
        links: The links between nodes.
    """

    layers: list[list[int]]
    lanes: dict[int, int]
    links: list[Way]


@dataclass(frozen=True, slots=True)
class RoutedGraph(Grid):
    """The jobs and datasets of a graph in layers and lanes.

    Args:
        numbers: The number of each node.
        columns: The links between columns, with their transformations.
    """

    numbers: dict[Node, int]
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
    grid = grid_of(len(numbers), layout)
    columns.sort(key=lambda column: column[0])
    return RoutedGraph(grid.layers, grid.lanes, grid.links, numbers, columns)


def grid_of(nodes: int, layout: Layout) -> Grid:
    """Return the lanes of nodes in layers, and the ways of their links."""
    ways = [Way(source, -1, target, -1, tuple(route)) for (source, target), route in layout.routes.items()]
    return Grid(layout.layers, lanes_of(layout.layers, steps_of(ways), nodes), ways)
