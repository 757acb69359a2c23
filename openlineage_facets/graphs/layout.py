"""Arrange a graph in layers, with fast-sugiyama (extra `graph`) if it is installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import chain, pairwise
from typing import Any

_Edge = tuple[int, int]

_MOST_EDGES_TO_RANK = 500
_MOST_EDGES_TO_EXCHANGE = 1500
"""Ranking for short links and exchanging neighbours take minutes for thousands of edges."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The nodes of a graph in layers, and the ways of its links between them.

    A link passes each layer between its ends through a *point*, which has a place in the layer as a node has.
    Points have the numbers after those of the nodes. Links share the points of their source, or of their
    target if more links lead there.

    Args:
        layers: The nodes and points of each layer in order. Links lead to later layers, unless they are part
            of a cycle.
        routes: The points that each link passes. A link to an earlier layer starts and ends with the numbers
            of its own ends: it turns and passes below them.
    """

    layers: list[list[int]]
    routes: dict[_Edge, list[int]]

    def route(self, path: Sequence[int]) -> list[int]:
        """Return what lineage of columns passes on a path of links: also below the nodes between them."""
        route = [*path[:1]] if len(path) == 1 else []
        for number, link in enumerate(pairwise(path)):
            for item in (*path[1 : number + 1], *self.routes[link]):
                if route[-1:] == [item]:  # Two turns below a node lead to where they started.
                    route.pop()
                else:
                    route.append(item)
        return route


def layered(nodes: int, links: Sequence[_Edge]) -> Layout:
    """Return the layout of a graph, with few crossings between links.

    Nodes without links are in the first layer, after all others.

    Args:
        nodes: The number of nodes.
        links: Numbers of source and target, which differ.
    """
    ranks = _ranks(_without_cycles(nodes, links))
    points: dict[tuple[tuple[str, int], int], int] = {}
    links_from, links_to = Counter(source for source, _ in links), Counter(target for _, target in links)
    routes: dict[_Edge, list[int]] = {}
    steps: dict[_Edge, None] = {}
    for source, target in links:
        is_forward = ranks[source] < ranks[target]
        passed = (
            range(ranks[source] + 1, ranks[target])
            if is_forward
            else range(ranks[source] - 1, ranks[target], -1)
        )
        # A log that all jobs write would otherwise have the points of each of them.
        owner = ("source", source) if links_from[source] >= links_to[target] else ("target", target)
        between = [points.setdefault((owner, rank), nodes + len(points)) for rank in passed]
        way = [source, *between, target]
        routes[source, target] = between if is_forward else way
        steps.update(dict.fromkeys(pairwise(way if is_forward else reversed(way))))
    ranks.update({point: rank for (_, rank), point in points.items()})
    layers: list[list[int]] = [[] for _ in range(max(ranks.values(), default=0) + 1)]
    for node in _order(list(steps), ranks):
        layers[ranks[node]].append(node)
    layers[0] += [node for node in range(nodes) if node not in ranks]
    return Layout(layers, routes)


def has_layout_library() -> bool:
    """Return whether fast-sugiyama is installed. Without it, graphs have more crossings."""
    try:
        import fast_sugiyama  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        return False
    return True


def _ranks(edges: list[_Edge]) -> dict[int, int]:
    """Return the number of the layer of each node that has edges."""
    if not has_layout_library() or len(edges) > _MOST_EDGES_TO_RANK:
        return _longest_distances(edges)
    ranks = {}
    for positions in _sugiyama(edges, ranking_type="minimize"):
        # The library puts sources at the top, where y is greatest.
        rows = {y: rank for rank, y in enumerate(sorted({y for _, y in positions.values()}, reverse=True))}
        ranks.update({node: rows[y] for node, (_, y) in positions.items()})
    return ranks


def _order(edges: list[_Edge], ranks: dict[int, int]) -> list[int]:
    """Return nodes and points so that few edges cross: connected parts together, the largest first."""
    if has_layout_library():
        layouts = _sugiyama(
            edges,
            # All edges have length 1. Ranking only affects where the library starts to exchange.
            ranking_type="minimize" if len(edges) <= _MOST_EDGES_TO_RANK else "up",
            crossing_minimization="barycenter",
            transpose=len(edges) <= _MOST_EDGES_TO_EXCHANGE,
        )
        parts = [sorted(positions, key=lambda node: positions[node]) for positions in layouts]
    else:
        sources, targets = _neighbours(edges)
        parts = [_ordered(part, ranks, sources, targets) for part in _parts(sources, targets)]
    return list(chain(*sorted(parts, key=lambda part: (-len(part), min(part)))))


def _sugiyama(edges: list[_Edge], **options: Any) -> Iterator[dict[int, tuple[float, float]]]:
    """Yield the x and y of the nodes of each connected part of a graph."""
    if not edges:
        return
    # Not installed with Python 3.10.
    from fast_sugiyama import from_edges  # pyright: ignore[reportMissingImports]

    # The library adds nodes, with the numbers after the last one.
    nodes = sorted(set(chain(*edges)))
    numbers = {node: number for number, node in enumerate(nodes)}
    layouts = from_edges(
        [(numbers[source], numbers[target]) for source, target in edges], check_layout=False, **options
    )
    for positions, *_ in layouts:
        yield {nodes[int(number)]: place for number, place in positions if int(number) < len(nodes)}


def _without_cycles(nodes: int, links: Iterable[_Edge]) -> list[_Edge]:
    """Return each link once, those that close a cycle in the other direction."""
    targets: list[list[int]] = [[] for _ in range(nodes)]
    for source, target in links:
        targets[source].append(target)
    has_source = {target for _, target in links}
    left = _when_left(targets, sorted(range(nodes), key=has_source.__contains__))
    forward = (
        (source, target) if left[source] > left[target] else (target, source)
        for source in range(nodes)
        for target in targets[source]
    )
    return list(dict.fromkeys(forward))


def _when_left(targets: Sequence[Sequence[int]], starts: Iterable[int]) -> list[int]:
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


_SWEEPS = 8

_Neighbours = dict[int, list[int]]


def _longest_distances(edges: Sequence[_Edge]) -> dict[int, int]:
    """Return the greatest distance of each node from a source. Links have no cycles.

    Sources are next to the first of their targets.
    """
    sources, targets = _neighbours(edges)
    layers: dict[int, int] = {}
    for node in TopologicalSorter(sources).static_order():
        layers[node] = max((layers[source] + 1 for source in sources[node]), default=0)
    for node, before in sources.items():
        if not before:
            layers[node] = min(layers[target] for target in targets[node]) - 1
    for part in _parts(sources, targets):
        first = min(layers[node] for node in part)
        layers.update({node: layers[node] - first for node in part})
    return layers


def _neighbours(edges: Sequence[_Edge]) -> tuple[_Neighbours, _Neighbours]:
    sources: _Neighbours = {node: [] for node in chain(*edges)}
    targets: _Neighbours = {node: [] for node in sources}
    for source, target in edges:
        targets[source].append(target)
        sources[target].append(source)
    return sources, targets


def _parts(sources: _Neighbours, targets: _Neighbours) -> list[list[int]]:
    """Return the connected parts of a graph, neighbours next to each other."""
    parts = []
    seen: set[int] = set()
    for start in sources:
        if start in seen:
            continue
        part = {start: None}
        waiting = [start]
        while waiting:
            node = waiting.pop()
            for other in (*sources[node], *targets[node]):
                if other not in part:
                    part[other] = None
                    waiting.append(other)
        seen.update(part)
        parts.append(list(part))
    return parts


def _ordered(
    part: Sequence[int], layers: Mapping[int, int], sources: _Neighbours, targets: _Neighbours
) -> list[int]:
    """Return the nodes of a part so that few edges cross: each near its neighbours in the next layers."""
    rows: dict[int, list[int]] = {}
    for node in part:
        rows.setdefault(layers[node], []).append(node)
    place = {node: number for row in rows.values() for number, node in enumerate(row)}
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        near = sources if forward else targets
        for layer in sorted(rows, reverse=not forward):
            middles = {node: _middle(node, near[node], place) for node in rows[layer]}
            rows[layer].sort(key=lambda node: (middles[node], place[node]))
            place.update({node: number for number, node in enumerate(rows[layer])})
    return list(chain(*rows.values()))


def _middle(node: int, near: Sequence[int], place: Mapping[int, int]) -> float:
    return sum(place[other] for other in near) / len(near) if near else place[node]
