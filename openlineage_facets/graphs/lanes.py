"""The lanes of a drawing: rows of a grid whose columns are the layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor

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
