"""Lineage graphs as SVG pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from openlineage_facets.base.display.printable import printable
from openlineage_facets.graphs.asset_files import asset
from openlineage_facets.graphs.colors import STATE_CLASSES, dark_colors, light_colors
from openlineage_facets.graphs.labels import Label, full_name, labels_of, short_name, text_width
from openlineage_facets.graphs.measures import HEAD, NAME_WIDTH, NAMESPACE_WIDTH, ROW, TURN, WIDTH
from openlineage_facets.graphs.placement import Box, path_of, placed
from openlineage_facets.graphs.ways import routed
from openlineage_facets.state import (
    ColumnId,
    DatasetId,
    Lineage,
    LineageColumn,
    LineageDataset,
    LineageJob,
    LineageRun,
    Node,
)

__all__ = ["svg"]

_MARGIN = 16
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
    with_lineage = _columns_with_lineage(lineage)
    rows = {
        ColumnId(dataset, column.name): row
        for dataset, shown in with_lineage.items()
        for row, column in enumerate(shown)
    }
    graph = routed(lineage, rows)
    drawn = with_lineage if columns else {}
    ways = [*graph.links, *((way for way, _ in graph.columns) if columns else ())]
    rows_of_datasets = [len(drawn.get(dataset.id, ())) for dataset in lineage.datasets]
    boxes = placed(graph.layers, [*rows_of_datasets, *(0 for _ in lineage.jobs)], ways)
    yield from _head(boxes.values(), turns=any({way.source, way.target} & {*way.route} for way in ways))
    yield '<g class="links">'
    # One path for all: ways that links share are not darker.
    for is_of_columns, look in ((False, ""), (True, ' class="column"')):
        paths = [path_of(way, boxes) for way in ways if way.is_of_columns == is_of_columns]
        if paths:
            yield f'<path{look} d="{"".join(paths)}"/>'
    yield "</g>"
    labels = labels_of(lineage, NAME_WIDTH, NAMESPACE_WIDTH, text_width)
    for dataset in lineage.datasets:
        label, box = labels[dataset.id], boxes[graph.numbers[dataset.id]]
        yield from _node(dataset.id, label.name, _dataset_detail(dataset, label), box, 5)
        yield from _columns(drawn.get(dataset.id, ()))
        yield "</g>"
    for job in lineage.jobs:
        label, box = labels[job.id], boxes[graph.numbers[job.id]]
        yield from _node(job.id, label.name, _job_detail(job, label), box, 14, job.last_run)
        yield "</g>"
    yield "</svg>"


def _head(boxes: Collection[Box], *, turns: bool) -> Iterator[str]:
    at_side = TURN if turns else _MARGIN
    left = min((box.x for box in boxes), default=0) - at_side
    top = min((box.y for box in boxes), default=0) - _MARGIN
    width = max((box.x + WIDTH for box in boxes), default=0) + at_side - left
    height = max((box.bottom for box in boxes), default=0) + _MARGIN - top
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.9g}" height="{height:.9g}" '
        f'viewBox="{left:.9g} {top:.9g} {width:.9g} {height:.9g}" role="img">'
    )
    yield "<!-- lineage graph of openlineage-facets -->"
    yield f"<style>:root {{ {light_colors()} }}"
    yield f"@media (prefers-color-scheme: dark) {{ :root {{ {dark_colors()} }} }}"
    yield f"{asset('drawing.css')}</style>"


def _columns_with_lineage(lineage: Lineage) -> dict[DatasetId, list[LineageColumn]]:
    ends = {end for edge in lineage.columns for end in (edge.source, edge.target)}
    return {
        dataset.id: [column for column in dataset.columns if ColumnId(dataset.id, column.name) in ends]
        for dataset in lineage.datasets
    }


def _dataset_detail(dataset: LineageDataset, label: Label) -> str:
    if label.namespace or not dataset.columns:
        return label.namespace or short_name(dataset.id.namespace, NAMESPACE_WIDTH, text_width)
    return "1 column" if len(dataset.columns) == 1 else f"{len(dataset.columns)} columns"


def _job_detail(job: LineageJob, label: Label) -> str:
    return label.namespace or (_state(job.last_run) or "no state" if job.last_run else "no run")


def _state(run: LineageRun | None) -> str:
    return run.state.value if run and run.state else ""


def _node(
    node: Node, name: str, detail: str, box: Box, radius: int, run: LineageRun | None = None
) -> Iterator[str]:
    """Yield a node and leave its group open."""
    kind, look = "dataset" if isinstance(node, DatasetId) else "job", STATE_CLASSES.get(_state(run), "")
    kinds = f"node {kind}{' bad' if look == 'bad' else ''}"
    yield f'<g class="{kinds}" transform="translate({box.x:.9g} {box.y:.9g})">'
    yield f"<title>{_text(full_name(node))}</title>"
    yield f'<rect class="box" width="{WIDTH}" height="{box.height:g}" rx="{radius}"/>'
    yield f'<rect class="side" x="9" y="11" width="4" height="{HEAD - 22}" rx="2"/>'
    yield f'<text class="name" x="22" y="20">{_text(name)}</text>'
    yield f'<text class="detail" x="{38 if run else 22}" y="36">{_text(detail)}</text>'
    if run:
        yield f'<circle class="state {look}" cx="27" cy="32" r="5"/>'


def _columns(columns: Sequence[LineageColumn]) -> Iterator[str]:
    for row, column in enumerate(columns):
        y = HEAD + row * ROW + ROW / 2 + 4
        kind = printable(column.type or "")[:14]
        yield f'<text x="22" y="{y:g}">{_text(short_name(column.name, 30 - len(kind)))}</text>'
        yield f'<text class="type" x="{WIDTH - 10}" y="{y:g}">{_text(kind)}</text>'


def _text(text: str) -> str:
    return printable(text).translate(_ENTITIES)
