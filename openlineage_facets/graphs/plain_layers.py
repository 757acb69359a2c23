"""A simple arrangement in layers, where fast-sugiyama is not installed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

__all__ = ["plain_layers"]

_SWEEPS = 8


def plain_layers(
    nodes: Iterable[int], edges: Sequence[tuple[int, int]]
) -> list[dict[int, tuple[int, float]]]:
    """Return layer and position in it of each node, for each connected part of a graph.

    Layers are distances from the sources. The order in them follows the neighbours, which avoids crossings.

    Args:
        nodes: The nodes that have edges.
        edges: Numbers of source and target, without cycles.
    """
    sources: dict[int, list[int]] = {node: [] for node in nodes}
    targets: dict[int, list[int]] = {node: [] for node in sources}
    for source, target in edges:
        targets[source].append(target)
        sources[target].append(source)
    layers = _layers(sources, targets)
    parts = []
    seen: set[int] = set()
    for start in sources:
        if start not in seen:
            part = _connected(start, sources, targets)
            seen.update(part)
            parts.append(_ordered(part, layers, sources, targets))
    return parts


def _layers(sources: dict[int, list[int]], targets: dict[int, list[int]]) -> dict[int, int]:
    """Return the greatest distance from a source. Sources are next to the first of their targets."""
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
    return layers


def _connected(start: int, sources: dict[int, list[int]], targets: dict[int, list[int]]) -> list[int]:
    """Return the nodes connected with a node in any direction, neighbours next to each other."""
    found = {start: None}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        for other in (*sources[node], *targets[node]):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)


def _ordered(
    part: Sequence[int],
    layers: dict[int, int],
    sources: dict[int, list[int]],
    targets: dict[int, list[int]],
) -> dict[int, tuple[int, float]]:
    first = min(layers[node] for node in part)
    rows: dict[int, list[int]] = {}
    for node in part:
        rows.setdefault(layers[node] - first, []).append(node)
    place = {node: number for row in rows.values() for number, node in enumerate(row)}
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        near = sources if forward else targets
        for layer in sorted(rows, reverse=not forward):
            middles = {node: _middle(node, near[node], place) for node in rows[layer]}
            rows[layer].sort(key=lambda node: (middles[node], place[node]))
            place.update({node: number for number, node in enumerate(rows[layer])})
    return {node: (layer, float(place[node])) for layer, row in rows.items() for node in row}


def _middle(node: int, near: Sequence[int], place: dict[int, int]) -> float:
    return sum(place[other] for other in near) / len(near) if near else place[node]
