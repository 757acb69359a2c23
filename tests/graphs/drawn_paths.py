"""Where drawn links pass: points on their curves, compared with the rectangles of nodes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_CLEARANCE = 4
"""How far links stay away from nodes that are not their ends."""
_STEPS = 16


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class Rectangle:
    name: str
    x: float
    y: float
    width: float
    height: float

    def contains(self, point: Point, margin: float) -> bool:
        return (
            self.x - margin < point.x < self.x + self.width + margin
            and self.y - margin < point.y < self.y + self.height + margin
        )


@dataclass(frozen=True)
class Drawing:
    """The nodes and links of a picture."""

    nodes: list[Rectangle]
    links: list[list[Point]]

    def faults(self) -> list[str]:
        """Return a line for each link that has no end at a node, or passes a node other than its ends."""
        return [fault for link in self.links for fault in self._faults(link)]

    def _faults(self, link: list[Point]) -> Iterator[str]:
        source = self._node_at(Point(link[0].x - 2, link[0].y))
        target = self._node_at(Point(link[-1].x + 2, link[-1].y))
        if source is None or target is None:
            yield f"a link from {source} to {target} ends nowhere"
            return
        for point in link:
            node = self._node_at(point, _CLEARANCE)
            if node is not None and (node not in (source, target) or node.contains(point, -0.2)):
                yield f"{source.name} to {target.name} passes {node.name} at {point}"
                return

    def _node_at(self, point: Point, margin: float = 0) -> Rectangle | None:
        for x, nodes in self._columns.items():
            if x - margin < point.x < x + nodes[0].width + margin:
                return next((node for node in nodes if node.contains(point, margin)), None)
        return None

    @cached_property
    def _columns(self) -> dict[float, list[Rectangle]]:
        columns: dict[float, list[Rectangle]] = defaultdict(list)
        for node in self.nodes:
            columns[node.x].append(node)
        return columns


def drawing_of_svg(text: str) -> Drawing:
    """Return the nodes and links of an SVG picture."""
    found = re.findall(
        r'<g class="node [^"]*" transform="translate\((\S+) (\S+)\)">\n<title>(.*?)</title>\n'
        r'<rect class="box" width="(\S+)" height="(\S+)"',
        text,
    )
    nodes = [Rectangle(name, *map(float, (x, y, width, height))) for x, y, name, width, height in found]
    return Drawing(nodes, links_of_paths(re.findall(r'<path[^>]* d="([^"]+)"', text)))


def links_of_paths(paths: list[str]) -> list[list[Point]]:
    """Return points on each link. A path may contain several links."""
    return [list(_points(link)) for path in paths for link in path.split("M")[1:]]


def _points(path: str) -> Iterator[Point]:
    start, *steps = re.findall(r"([CH]?)([^CH]+)", path)
    here = Point(*map(float, start[1].split()))
    yield here
    for kind, numbers in steps:
        values = [float(number) for number in numbers.split()]
        if kind == "H":
            end = Point(values[0], here.y)
            yield from (Point(here.x + (end.x - here.x) * part / 4, here.y) for part in range(1, 5))
        else:
            first, second, end = (Point(*pair) for pair in zip(values[::2], values[1::2], strict=True))
            yield from (_on_curve(here, first, second, end, part / _STEPS) for part in range(1, _STEPS + 1))
        here = end


def _on_curve(start: Point, first: Point, second: Point, end: Point, time: float) -> Point:
    rest = 1 - time
    a, b, c, d = rest**3, 3 * rest**2 * time, 3 * rest * time**2, time**3
    return Point(
        a * start.x + b * first.x + c * second.x + d * end.x,
        a * start.y + b * first.y + c * second.y + d * end.y,
    )
