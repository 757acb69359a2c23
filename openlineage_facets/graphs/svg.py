"""Lineage graphs as SVG pictures.

Pages draw the same from the same description (`drawing.js`): a picture is text without scripts, as notebooks
and Markdown need it, while elements of a page can be clicked and opened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from openlineage_facets.base.display.printable import printable
from openlineage_facets.graphs.description import description
from openlineage_facets.graphs.links import columns_with_lineage
from openlineage_facets.graphs.placement import Box, path_of, placed
from openlineage_facets.graphs.style import (
    HEAD,
    ROW,
    TURN,
    WIDTH,
    ascii_markup,
    asset,
    dark_colors,
    light_colors,
)
from openlineage_facets.graphs.summaries import size_text
from openlineage_facets.state import Lineage

_MARGIN = 16
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def svg(lineage: Lineage, *, columns: bool = False) -> str:
    """Return a graph as an SVG picture, for light and dark backgrounds.

    It is ASCII, so that it is the same in any encoding.

    Args:
        lineage: The graph.
        columns: Draw the columns with lineage and the edges between them.

    Example:
        >>> Path("lineage.svg").write_text(svg(state.lineage()), encoding="utf-8")
    """
    return ascii_markup("\n".join((*_lines(lineage, columns), "")))


def _lines(lineage: Lineage, columns: bool) -> Iterator[str]:
    drawn = description(lineage, columns_with_lineage(lineage))
    graph, nodes = drawn.graph, drawn.nodes
    ways = [*graph.links, *((way for way, _ in graph.columns) if columns else ())]
    rows = [len(node.get("columns", ())) if columns else 0 for node in nodes]
    boxes = placed(graph, rows, ways)
    yield from _head(boxes.values(), turns=any({way.source, way.target} & {*way.route} for way in ways))
    yield f"<desc>{size_text(lineage)}</desc>"
    yield '<g class="links">'
    # One path for all: ways that links share are not darker.
    for is_of_columns, look in ((False, ""), (True, ' class="column"')):
        paths = [path_of(way, boxes) for way in ways if way.is_of_columns == is_of_columns]
        if paths:
            yield f'<path{look} d="{"".join(paths)}"/>'
    yield "</g>"
    for number, node in enumerate(nodes):
        yield from _node(node, boxes[number])
        yield from _columns(node["columns"]) if rows[number] else ()
        yield "</g>"
    yield "</svg>"


def _head(boxes: Collection[Box], *, turns: bool) -> Iterator[str]:
    left = -TURN if turns else -_MARGIN
    width = max((box.x + WIDTH for box in boxes), default=0) - 2 * left
    height = max((box.bottom for box in boxes), default=0) + 2 * _MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.9g}" height="{height:.9g}" '
        f'viewBox="{left:.9g} {-_MARGIN} {width:.9g} {height:.9g}" role="img">'
    )
    yield "<!-- lineage graph of openlineage-facets -->"
    yield f"<style>:root {{ {light_colors()} }}"
    yield f"@media (prefers-color-scheme: dark) {{ :root {{ {dark_colors()} }} }}"
    yield f"{asset('drawing.css')}</style>"


def _node(node: Mapping[str, Any], box: Box) -> Iterator[str]:
    """Yield a node and leave its group open."""
    status, radius = node["status"], 14 if node["kind"] == "job" else 5
    classes = f"node {node['kind']}{' bad' if status == 'bad' else ''} group{node['color']}"
    yield f'<g class="{classes}" transform="translate({box.x:.9g} {box.y:.9g})">'
    yield f"<title>{_text(node['namespace'])}/{_text(node['name'])}</title>"
    yield f'<rect class="box" width="{WIDTH}" height="{box.height:g}" rx="{radius}"/>'
    yield f'<rect class="tint" width="{WIDTH}" height="{box.height:g}" rx="{radius}"/>'
    yield f'<rect class="group" x="9" y="11" width="4" height="{HEAD - 22}" rx="2"/>'
    yield f'<text class="name" x="22" y="20">{_text(node["title"])}</text>'
    yield f'<text class="detail" x="{38 if status else 22}" y="36">{_text(node["detail"])}</text>'
    yield f'<text class="type" x="{WIDTH - 12}" y="36">{_text(node["side"])}</text>'
    if status:
        yield f'<circle class="state {status}" cx="27" cy="32" r="5"/>'


def _columns(columns: Collection[Any]) -> Iterator[str]:
    for row, (_, _, _, name, side, status) in enumerate(columns):
        y = HEAD + row * ROW + ROW / 2
        yield f'<text x="22" y="{y + 4:g}">{_text(name)}</text>'
        yield f'<text class="type" x="{WIDTH - 10}" y="{y + 4:g}">{_text(side)}</text>'
        if status:
            yield f'<circle class="state {status}" cx="13" cy="{y:g}" r="4"/>'


def _text(text: str) -> str:
    return printable(text).translate(_ENTITIES)
