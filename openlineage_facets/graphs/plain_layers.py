"""A simple arrangement in layers, where fast-sugiyama is not installed."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import chain

_SWEEPS = 8

_Neighbours = dict[int, list[int]]


def longest_distances(edges: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the greatest distance of each node from a source.

    Sources are next to the first of their targets.

    Args:
        edges: Numbers of source and target, without cycles.
    """
    sources, targets = _neighbours(edges)
    layers = dict.fromkeys(sources, 0)
    open_links = {node: len(before) for node, before in sources.items()}
    ready = deque(node for node, count in open_links.items() if not count)
    while ready:
        node = ready.popleft()
        for target in targets[node]:
            layers[target] = max(layers[target], layers[node] + 1)
            open_links[target] -= 1
            if not open_links[target]:
                ready.append(target)
    for node, before in sources.items():
        if not before:
            layers[node] = min(layers[target] for target in targets[node]) - 1
    for part in _parts(sources, targets):
        first = min(layers[node] for node in part)
        layers.update({node: layers[node] - first for node in part})
    return layers


def ordered(edges: Sequence[tuple[int, int]], layers: Mapping[int, int]) -> list[list[int]]:
    """Return the nodes of each connected part of a graph so that few edges cross.

    The order follows the neighbours.

    Args:
        edges: Numbers of source and target, in adjacent layers.
        layers: The number of the layer of each node.
    """
    sources, targets = _neighbours(edges)
    return [_ordered(part, layers, sources, targets) for part in _parts(sources, targets)]


def _neighbours(edges: Sequence[tuple[int, int]]) -> tuple[_Neighbours, _Neighbours]:
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
        found = {start: None}
        waiting = [start]
        while waiting:
            node = waiting.pop()
            for other in (*sources[node], *targets[node]):
                if other not in found:
                    found[other] = None
                    waiting.append(other)
        seen.update(found)
        parts.append(list(found))
    return parts


def _ordered(
    part: Sequence[int], layers: Mapping[int, int], sources: _Neighbours, targets: _Neighbours
) -> list[int]:
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
