"""Lineage graphs as SVG pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openlineage_facets.base.printable import printable
from openlineage_facets.graphs.labels import Label, full_name, labels_of, short_name, text_width
from openlineage_facets.graphs.links import links_of, nodes_of
from openlineage_facets.graphs.placement import (
    GAP,
    HEAD,
    NAME_WIDTH,
    NAMESPACE_WIDTH,
    ROW,
    WIDTH,
    Box,
    placed,
)
from openlineage_facets.state import (
    ColumnId,
    DatasetId,
    Lineage,
    LineageColumn,
    LineageDataset,
    LineageJob,
    Node,
)

__all__ = ["svg"]

_MARGIN = 16
_TURN = 60
"""How far links to an earlier layer swing out."""

_LIGHT = {
    "surface": "#ffffff",
    "line": "#c6d0dc",
    "text": "#1b2530",
    "faint": "#5c6979",
    "dataset": "#2563c9",
    "job": "#a06a12",
    "edge": "#94a1b1",
    "good": "#23863a",
    "bad": "#c9302c",
    "busy": "#7c3aed",
}
_DARK = {
    "surface": "#1b222c",
    "line": "#3d4a5a",
    "text": "#e6ebf2",
    "faint": "#98a5b5",
    "dataset": "#6ea2f5",
    "job": "#dfa64a",
    "edge": "#64748a",
    "good": "#57c06f",
    "bad": "#f2706b",
    "busy": "#b69cff",
}
_STYLE = """\
.box { fill: var(--surface); stroke: var(--line); stroke-width: 1.2 }
.bad .box { stroke: var(--bad) }
.dataset .side { fill: var(--dataset) }
.job .side { fill: var(--job) }
path { fill: none; stroke: var(--edge); stroke-width: 1.4 }
path.column { stroke-width: 1; stroke-dasharray: 4 3 }
text { fill: var(--text); font: 12.5px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
.name { font-weight: 600 }
.detail, .type { fill: var(--faint); font-size: 11px }
.type { text-anchor: end }
.state { fill: var(--faint) }
.state.good { fill: var(--good) }
.state.bad { fill: var(--bad) }
.state.busy { fill: var(--busy) }"""

_STATES = {"COMPLETE": "good", "FAIL": "bad", "ABORT": "bad", "START": "busy", "RUNNING": "busy"}
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def svg(lineage: Lineage, *, columns: bool = False) -> str:
    """Return a graph as an SVG picture, for light and dark backgrounds.

    Args:
        lineage: The graph.
        columns: Draw the columns with lineage and the edges between them.

    Example:
        >>> Path("lineage.svg").write_text(svg(state.lineage()), encoding="utf-8")
    """
    return "\n".join((*_lines(lineage, columns), ""))


def _lines(lineage: Lineage, columns: bool) -> Iterator[str]:
    nodes = nodes_of(lineage)
    numbers = {node: number for number, node in enumerate(nodes)}
    drawn = _columns_with_lineage(lineage) if columns else {}
    rows = [len(drawn.get(node, ())) for node in nodes]
    links = [(numbers[source], numbers[target]) for source, target in links_of(lineage)]
    boxes = placed(rows, links)
    labels = labels_of(lineage, NAME_WIDTH, NAMESPACE_WIDTH, text_width)
    yield from _head(boxes, has_turns=any(boxes[target].x <= boxes[source].x for source, target in links))
    for source, target in links:
        yield _curve(boxes[source], boxes[target], HEAD / 2, HEAD / 2)
    if columns:
        yield from _column_links(lineage, drawn, {node: boxes[number] for node, number in numbers.items()})
    for dataset in lineage.datasets:
        label, shown = labels[dataset.id], drawn.get(dataset.id, ())
        yield from _node(dataset.id, label.name, _detail(dataset, label), boxes[numbers[dataset.id]], shown)
    for job in lineage.jobs:
        yield from _job(job, labels[job.id], boxes[numbers[job.id]])
    yield "</svg>"


def _head(boxes: Sequence[Box], *, has_turns: bool) -> Iterator[str]:
    at_side = _TURN if has_turns else _MARGIN
    left = min((box.x for box in boxes), default=0) - at_side
    top = min((box.y for box in boxes), default=0) - _MARGIN
    width = max((box.x + WIDTH for box in boxes), default=0) + at_side - left
    height = max((box.y + box.height for box in boxes), default=0) + _MARGIN - top
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}" role="img">'
    )
    yield f"<style>:root {{ {_variables(_LIGHT)} }}"
    yield f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(_DARK)} }} }}"
    yield f"{_STYLE}</style>"


def _variables(colors: dict[str, str]) -> str:
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


def _columns_with_lineage(lineage: Lineage) -> dict[Node, list[LineageColumn]]:
    ends = {end for edge in lineage.columns for end in (edge.source, edge.target)}
    return {
        dataset.id: [column for column in dataset.columns if ColumnId(dataset.id, column.name) in ends]
        for dataset in lineage.datasets
    }


def _column_links(
    lineage: Lineage, drawn: dict[Node, list[LineageColumn]], boxes: dict[Node, Box]
) -> Iterator[str]:
    rows = {
        ColumnId(node, column.name): (boxes[node], HEAD + row * ROW + ROW / 2)
        for node, columns in drawn.items()
        for row, column in enumerate(columns)
        if isinstance(node, DatasetId)
    }
    for edge in lineage.columns:
        (source, from_y), (target, to_y) = (
            rows[end] if isinstance(end, ColumnId) else (boxes[end], HEAD / 2)
            for end in (edge.source, edge.target)
        )
        yield _curve(source, target, from_y, to_y, ' class="column"')


def _curve(source: Box, target: Box, from_y: float, to_y: float, attributes: str = "") -> str:
    x1, y1, x2, y2 = source.x + WIDTH, source.y + from_y, target.x, target.y + to_y
    if x2 > x1:
        middle = (x1 + x2) / 2
        path = f"M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    else:  # Back to an earlier layer: below both boxes, not behind them.
        below = max(source.y + source.height, target.y + target.height) + GAP / 2
        path = (
            f"M{x1:.1f} {y1:.1f}C{x1 + _TURN:.1f} {y1:.1f} {x1 + _TURN:.1f} {below:.1f} {x1:.1f} {below:.1f}"
            f"H{x2:.1f}C{x2 - _TURN:.1f} {below:.1f} {x2 - _TURN:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        )
    return f'<path{attributes} d="{path}"/>'


def _detail(dataset: LineageDataset, label: Label) -> str:
    if label.namespace or not dataset.columns:
        return label.namespace or short_name(dataset.id.namespace, NAMESPACE_WIDTH, text_width)
    return "1 column" if len(dataset.columns) == 1 else f"{len(dataset.columns)} columns"


def _job(job: LineageJob, label: Label, box: Box) -> Iterator[str]:
    state = job.last_run.state.value if job.last_run and job.last_run.state else ""
    detail = label.namespace or state or ("no state" if job.last_run else "no run")
    lines = list(_node(job.id, label.name, detail, box, (), has_state=job.last_run is not None))
    yield lines[0].replace('"job"', f'"job {_STATES.get(state, "")}"')
    yield from lines[1:-1]
    if job.last_run is not None:
        yield f'<circle class="state {_STATES.get(state, "")}" cx="27" cy="32" r="5"/>'
    yield lines[-1]


def _node(
    node: Node, name: str, detail: str, box: Box, columns: Sequence[LineageColumn], *, has_state: bool = False
) -> Iterator[str]:
    kind, radius = ("dataset", 5) if isinstance(node, DatasetId) else ("job", 14)
    yield f'<g class="{kind}" transform="translate({box.x:.1f} {box.y:.1f})">'
    yield f"<title>{_text(full_name(node))}</title>"
    yield f'<rect class="box" width="{WIDTH}" height="{box.height:g}" rx="{radius}"/>'
    yield f'<rect class="side" x="9" y="11" width="4" height="{HEAD - 22}" rx="2"/>'
    yield f'<text class="name" x="22" y="20">{_text(name)}</text>'
    yield f'<text class="detail" x="{38 if has_state else 22}" y="36">{_text(detail)}</text>'
    for row, column in enumerate(columns):
        y = HEAD + row * ROW + ROW / 2 + 4
        kind_text = printable(column.type or "")[:14]
        yield f'<text x="22" y="{y:g}">{_text(short_name(column.name, 30 - len(kind_text)))}</text>'
        yield f'<text class="type" x="{WIDTH - 10}" y="{y:g}">{_text(kind_text)}</text>'
    yield "</g>"


def _text(text: str) -> str:
    return printable(text).translate(_ENTITIES)
