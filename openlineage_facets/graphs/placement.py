"""Coordinates of nodes, and the ways of links between them. The page computes the same (`placement.js`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor

from openlineage_facets.graphs.measures import (
    GAP,
    HEAD,
    LAYER_GAP,
    POINT_GAP,
    POINT_WEIGHT,
    ROW,
    STRIP,
    SWEEPS,
    TRACK,
    TRACKS,
    TURN,
    WIDTH,
)
from openlineage_facets.graphs.ways import Way

__all__ = ["Box", "path_of", "placed"]


@dataclass(slots=True)
class Box:
    """The rectangle of a node with the tracks below it, or of a point, which consists of tracks."""

    is_point: bool
    layer: int
    height: float
    x: float
    y: float = 0
    tracks: dict[tuple[int, ...], int] = field(default_factory=dict)
    """The number of each track."""

    @property
    def distance(self) -> float:
        """The distance between tracks."""
        return min(TRACK, _rounded(TRACKS / len(self.tracks)))

    @property
    def strip(self) -> float:
        """The distance between the node and the first track."""
        return 0 if self.is_point else STRIP

    @property
    def bottom(self) -> float:
        """The bottom of the node and the tracks below it."""
        tracks = self.strip + (len(self.tracks) - 1) * self.distance if self.tracks else 0
        return self.y + self.height + tracks

    @property
    def anchor(self) -> float:
        """The distance from the top to where most links pass or end."""
        return 0 if self.is_point else HEAD / 2

    def track(self, name: tuple[int, ...]) -> float:
        """Return the y of a track."""
        return self.y + self.height + self.strip + self.tracks[name] * self.distance

    def end(self, row: int) -> float:
        """Return the y where links of a row end, or those of the node with -1."""
        return self.y + (HEAD / 2 if row < 0 else HEAD + row * ROW + ROW / 2)


def placed(layers: Sequence[Sequence[int]], rows: Sequence[int], ways: Iterable[Way]) -> dict[int, Box]:
    """Return the place of each node and point by its number: near its neighbours, without overlaps.

    Args:
        layers: The nodes and points of each layer in order.
        rows: The number of columns drawn in each node.
        ways: The links that are drawn.
    """
    boxes: dict[int, Box] = {}
    for layer, items in enumerate(layers):
        for item in items:
            is_point = item >= len(rows)
            height = 0 if is_point else HEAD + (rows[item] * ROW + 6 if rows[item] else 0)
            boxes[item] = Box(is_point, layer, height, layer * (WIDTH + LAYER_GAP))
    before: dict[int, list[Box]] = {item: [] for item in boxes}
    after: dict[int, list[Box]] = {item: [] for item in boxes}
    for way in ways:
        for item in way.route:
            boxes[item].tracks.setdefault(way.track, len(boxes[item].tracks))
        if way.is_of_columns:
            continue
        for one, other in pairwise((way.source, *way.route, way.target)):
            if one != other:
                left, right = (one, other) if boxes[one].layer < boxes[other].layer else (other, one)
                after[left].append(boxes[right])
                before[right].append(boxes[left])
    for items in layers:
        y = 0.0
        for item in items:
            boxes[item].y = y
            y = boxes[item].bottom + GAP
    for sweep in range(SWEEPS):
        near = after if sweep % 2 else before
        for items in reversed(layers) if sweep % 2 else layers:
            _align([(boxes[item], near[item]) for item in items])
    for box in boxes.values():
        box.y = _rounded(box.y)
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


def _align(items: Sequence[tuple[Box, Sequence[Box]]]) -> None:
    """Move the nodes and points of a layer towards their neighbours, and keep their order and distance."""
    blocks: list[tuple[list[tuple[Box, float]], float, float]] = []
    offset = 0.0
    last: Box | None = None
    for box, near in items:
        if last is not None:
            offset += last.bottom - last.y + (POINT_GAP if box.is_point or last.is_point else GAP)
        wanted = sum(other.y + other.anchor for other in near) / len(near) - box.anchor if near else box.y
        weight = POINT_WEIGHT if box.is_point else 1.0
        members, weights, total = [(box, offset)], weight, weight * (wanted - offset)
        # What would overlap forms a block, which moves to the mean of what its members want.
        while blocks and blocks[-1][2] / blocks[-1][1] > total / weights:
            before, weights_before, total_before = blocks.pop()
            members, weights, total = before + members, weights + weights_before, total + total_before
        blocks.append((members, weights, total))
        last = box
    for members, weights, total in blocks:
        for box, distance in members:
            box.y = total / weights + distance


def _rounded(y: float) -> float:
    """Return a multiple of 0.5, also if the last bit differs: pages compute the same."""
    return floor(2 * y + 0.501) / 2
