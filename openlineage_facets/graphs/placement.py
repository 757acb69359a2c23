"""Coordinates in the grid of layers and lanes.

Layers, lanes and the ways of links are computed once, in Python. Coordinates also depend on the nodes that
are shown and on the datasets that show their columns: n datasets have 2**n of these views, which only a page
can compute when people choose one, while a picture has no scripts. `placement.js` therefore computes the same
as this module, and a test compares them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil

from openlineage_facets.graphs.style import (
    GAP,
    HEAD,
    LAYER_GAP,
    POINT_GAP,
    ROW,
    STRIP,
    TRACK,
    TRACKS,
    TURN,
    WIDTH,
)
from openlineage_facets.graphs.ways import Grid, Way


@dataclass(slots=True)
class Box:
    """The rectangle of a node, or of a point with a height of 0, with the tracks of links below it."""

    layer: int
    height: int
    strip: int
    y: int = 0
    tracks: dict[tuple[int, ...], int] = field(default_factory=dict)
    """The number of each track."""

    @property
    def x(self) -> int:
        """The left side."""
        return self.layer * (WIDTH + LAYER_GAP)

    @property
    def bottom(self) -> float:
        """The bottom of the node and the tracks below it."""
        return self.y + self.height + (self._offset(len(self.tracks) - 1) if self.tracks else 0)

    def track(self, name: tuple[int, ...]) -> float:
        """Return the y of a track."""
        return self.y + self.height + self._offset(self.tracks[name])

    def end(self, row: int) -> float:
        """Return the y where links of a row end, or those of the node with -1."""
        return self.y + (HEAD / 2 if row < 0 else HEAD + row * ROW + ROW / 2)

    def _offset(self, track: int) -> float:
        return self.strip + track * min(TRACK, 2 * TRACKS // len(self.tracks) / 2)


def placed(grid: Grid, rows: Sequence[int], ways: Iterable[Way]) -> dict[int, Box]:
    """Return the place of each node and point by its number. A lane is as high as its highest box.

    Args:
        grid: The layers and lanes of a graph.
        rows: The number of columns drawn in each node.
        ways: The links that are drawn.
    """
    boxes: dict[int, Box] = {}
    lanes: dict[int, list[int]] = {}
    for layer, items in enumerate(grid.layers):
        for item in items:
            is_node = item < len(rows)
            height = HEAD + (rows[item] * ROW + 6 if rows[item] else 0) if is_node else 0
            boxes[item] = Box(layer, height, STRIP if is_node else 0)
            lanes.setdefault(grid.lanes[item], []).append(item)
    for way in ways:
        for item in way.route:
            boxes[item].tracks.setdefault(way.track, len(boxes[item].tracks))
    y = 0
    for _, items in sorted(lanes.items()):
        has_nodes = any(item < len(rows) for item in items)
        for item in items:
            boxes[item].y = y + (HEAD // 2 if has_nodes and item >= len(rows) else 0)
        y = ceil(max(boxes[item].bottom for item in items)) + (GAP if has_nodes else POINT_GAP)
    return boxes


def path_of(way: Way, boxes: dict[int, Box]) -> str:
    """Return the path of a link in SVG: straight through layers, with curves between them."""
    start = boxes[way.source]
    x, y, layer, direction = start.x + WIDTH, start.end(way.row), start.layer, 1
    path = f"M{x:.9g} {y:.9g}"
    for item in (*way.route, None):
        box = boxes[way.target if item is None else item]
        next_y = box.end(way.target_row) if item is None else box.track(way.track)
        next_x = box.x if direction > 0 else box.x + WIDTH
        middle = (x + next_x) / 2
        if box.layer == layer:  # Turn.
            next_x, direction = x, -direction
            middle = x - direction * TURN
        path += f"C{middle:.9g} {y:.9g} {middle:.9g} {next_y:.9g} {next_x:.9g} {next_y:.9g}"
        x, y, layer = next_x, next_y, box.layer
        if item is not None:
            x = box.x + (WIDTH if direction > 0 else 0)
            path += f"H{x:.9g}"
    return path
