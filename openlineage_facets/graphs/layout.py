"""Arrange a graph in layers, with fast-sugiyama (extra `graph`) if it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from openlineage_facets.graphs.plain_layers import plain_layers

__all__ = ["Place", "has_layout_library", "layered"]

_MOST_EDGES_FOR_SHORT_LINKS = 500
"""Ranking for short links and exchanging neighbours take minutes for thousands of edges."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a node.

    Args:
        layer: The number of the layer. Links lead to later layers, unless they are part of a cycle.
        order: The position in the layer. Only the order of these numbers matters.
    """

    layer: int
    order: float


def layered(nodes: int, links: Iterable[tuple[int, int]]) -> list[Place]:
    """Return a place for each node, with few crossings between links.

    Nodes without links are in the first layer, after all others.

    Args:
        nodes: The number of nodes.
        links: Numbers of source and target.
    """
    places: dict[int, Place] = {}
    end = 0.0
    for component in _components(list(_without_cycles(nodes, links))):
        first, last = min(x for _, x in component.values()), max(x for _, x in component.values())
        for node, (layer, x) in component.items():
            places[node] = Place(layer, end + x - first)
        end += last - first + 1
    return [places.get(node) or Place(0, end + node) for node in range(nodes)]


def has_layout_library() -> bool:
    """Return whether fast-sugiyama is installed. Without it, graphs have more crossings."""
    try:
        import fast_sugiyama  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        return False
    return True


def _components(edges: list[tuple[int, int]]) -> list[dict[int, tuple[int, float]]]:
    """Return layer and position of the nodes of each connected part of the graph, the largest one first."""
    if not edges:
        return []
    parts = _sugiyama(edges) if has_layout_library() else plain_layers(dict.fromkeys(chain(*edges)), edges)
    return sorted(parts, key=lambda part: (-len(part), sorted(part.items())))


def _sugiyama(edges: list[tuple[int, int]]) -> list[dict[int, tuple[int, float]]]:
    # Not installed with Python 3.10.
    from fast_sugiyama import from_edges  # pyright: ignore[reportMissingImports]

    is_small = len(edges) <= _MOST_EDGES_FOR_SHORT_LINKS
    layouts = from_edges(
        edges, ranking_type="minimize" if is_small else "up", transpose=is_small, check_layout=False
    )
    parts = []
    for positions, *_ in layouts:
        # The library puts sources at the top, where y is greatest.
        layers = {y: layer for layer, y in enumerate(sorted({y for _, (_, y) in positions}, reverse=True))}
        parts.append({int(node): (layers[y], x) for node, (x, y) in positions})
    return parts


def _without_cycles(nodes: int, links: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield each link once, those that close a cycle in the other direction, none from a node to itself."""
    targets: list[list[int]] = [[] for _ in range(nodes)]
    sources = [0] * nodes
    for source, target in dict.fromkeys(links):
        if source != target:
            targets[source].append(target)
            sources[target] += 1
    position = _finished_last(targets, sorted(range(nodes), key=lambda node: sources[node] > 0))
    found: dict[tuple[int, int], None] = {}
    for source in range(nodes):
        for target in targets[source]:
            forward = position[source] > position[target]
            found[(source, target) if forward else (target, source)] = None
    yield from found


def _finished_last(targets: Sequence[Sequence[int]], starts: Iterable[int]) -> list[int]:
    """Return when a depth-first search leaves each node: after all that it leads to, except in cycles."""
    left = [-1] * len(targets)
    seen = [False] * len(targets)
    time = 0
    for start in starts:
        if seen[start]:
            continue
        seen[start] = True
        path = [(start, iter(targets[start]))]
        while path:
            node, following = path[-1]
            new = next((target for target in following if not seen[target]), None)
            if new is None:
                left[node] = time
                time += 1
                path.pop()
            else:
                seen[new] = True
                path.append((new, iter(targets[new])))
    return left
