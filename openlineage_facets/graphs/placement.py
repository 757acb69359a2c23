"""Coordinates of nodes in layers: near their neighbours, without overlaps. The page does the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openlineage_facets.graphs.layout import layered

__all__ = ["GAP", "HEAD", "NAMESPACE_WIDTH", "NAME_WIDTH", "ROW", "WIDTH", "Box", "placed"]

WIDTH = 250
HEAD = 46
ROW = 20
GAP = 18
NAME_WIDTH = 16
"""The greatest width of a name in units of its font size, in any usual font."""
NAMESPACE_WIDTH = 17
_LAYER_GAP = 96
_SWEEPS = 6


@dataclass(slots=True)
class Box:
    """The rectangle of a node."""

    x: float
    y: float
    height: float

    @property
    def anchor(self) -> float:
        """The distance from the top to where links end. Tall boxes are aligned by their heads."""
        return min(self.height, 2 * HEAD) / 2


def placed(rows: Sequence[int], links: Sequence[tuple[int, int]]) -> list[Box]:
    """Return the rectangle of each node.

    Args:
        rows: The number of columns drawn in each node.
        links: Numbers of source and target.
    """
    places = layered(len(rows), links)
    columns: dict[int, list[int]] = {}
    for node in sorted(range(len(rows)), key=lambda node: (places[node].layer, places[node].order)):
        columns.setdefault(places[node].layer, []).append(node)
    boxes = [Box(0, 0, HEAD + (count * ROW + 6 if count else 0)) for count in rows]
    for index, column in enumerate(columns.values()):
        y = 0.0
        for node in column:
            boxes[node].x, boxes[node].y = index * (WIDTH + _LAYER_GAP), y
            y += boxes[node].height + GAP
    sources: list[list[int]] = [[] for _ in rows]
    targets: list[list[int]] = [[] for _ in rows]
    for source, target in links:
        targets[source].append(target)
        sources[target].append(source)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for column in columns.values() if forward else reversed(columns.values()):
            _align(column, boxes, sources if forward else targets)
    return boxes


def _align(column: Sequence[int], boxes: Sequence[Box], neighbours: Sequence[Sequence[int]]) -> None:
    """Move the nodes of a layer towards their neighbours, and keep their order and distance."""
    blocks: list[tuple[list[tuple[Box, float]], float]] = []
    offset = 0.0
    for node in column:
        box, near = boxes[node], [boxes[other] for other in neighbours[node]]
        middle = sum(other.y + other.anchor for other in near) / len(near) if near else box.y + box.anchor
        members, total = [(box, offset)], middle - box.anchor - offset
        # Nodes that would overlap form a block, which moves to the mean of what its nodes want.
        while blocks and blocks[-1][1] / len(blocks[-1][0]) > total / len(members):
            before, sum_before = blocks.pop()
            members, total = before + members, sum_before + total
        blocks.append((members, total))
        offset += box.height + GAP
    for members, total in blocks:
        for box, distance in members:
            box.y = total / len(members) + distance
