"""Draw the diagrams of the documentation: `python tools/diagrams.py` writes `docs/pictures/`."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.generated_files import ROOT, write_or_check

PICTURES = ROOT / "docs" / "pictures"

_WIDTH, _HEIGHT = 176, 58
_STEP_X, _STEP_Y = 226, 90
_MARGIN = 8
_FILLS = {"data": "#e8f0fb", "step": "#f6f2e8", "end": "#e9f5ec", "fault": "#fbe9e7"}
"""Light boxes with dark text, for light and dark pages."""


class Box(NamedTuple):
    """A box in a grid of columns and rows: a title, and a line below it."""

    column: float
    row: float
    title: str
    detail: str = ""
    kind: str = "step"


class Diagram(NamedTuple):
    """Boxes and arrows, and what they show for those who do not see them.

    Each line of arrows leads from box to box, named by their titles: `a -> b --label-> c`.
    """

    description: str
    boxes: list[Box]
    arrows: list[str]


DIAGRAMS = {
    "run": Diagram(
        "A run of a job reads input datasets and writes output datasets.",
        [
            Box(0, 0, "raw/orders", "input, in s3://lake", "data"),
            Box(0, 1, "raw/customers", "input, in s3://lake", "data"),
            Box(1, 0.5, "run 019d3719-…", "of the job orders.daily"),
            Box(2, 0.5, "curated/daily", "output, in s3://lake", "data"),
        ],
        [
            "raw/orders -> run 019d3719-…",
            "raw/customers -> run 019d3719-… -> curated/daily",
        ],
    ),
    "lifecycle": Diagram(
        "A run starts with START, may report RUNNING, and ends with COMPLETE, FAIL or ABORT.",
        [
            Box(0, 1, "START", "once, and first"),
            Box(1, 1, "RUNNING", "any number"),
            Box(2, 0, "COMPLETE", "the job has ended", "end"),
            Box(2, 1, "FAIL", "with errorMessage", "fault"),
            Box(2, 2, "ABORT", "it was interrupted", "fault"),
            Box(3, 1, "OTHER", "also after the end"),
        ],
        [
            "START -> RUNNING -> COMPLETE",
            "RUNNING -> FAIL",
            "RUNNING -> ABORT",
            "COMPLETE -> OTHER",
            "FAIL -> OTHER",
            "ABORT -> OTHER",
        ],
    ),
    "facets": Diagram(
        "Runs, jobs and datasets have facets; inputs and outputs have further ones about one run.",
        [
            Box(0, 0, "run", "run.facets", "data"),
            Box(0, 1, "job", "job.facets", "data"),
            Box(0, 2, "dataset", "dataset.facets", "data"),
            Box(2, 1.5, "input", "input.input_facets", "data"),
            Box(2, 2.5, "output", "output.output_facets", "data"),
            Box(1, 0, "RunFacet", "parent, errorMessage"),
            Box(1, 1, "JobFacet", "sql, ownership"),
            Box(1, 2, "DatasetFacet", "schema, columnLineage"),
            Box(3, 1.5, "InputDatasetFacet", "inputStatistics"),
            Box(3, 2.5, "OutputDatasetFacet", "outputStatistics"),
        ],
        [
            "run -> RunFacet",
            "job -> JobFacet",
            "dataset -> DatasetFacet",
            "input -> InputDatasetFacet",
            "output -> OutputDatasetFacet",
            "input -> DatasetFacet",
            "output -> DatasetFacet",
        ],
    ),
    "data-flow": Diagram(
        "Jobs, operators and builders make events; emitters send them; readers check, fold and draw them.",
        [
            Box(0, 0, "PySpark job", "SparkRun, spark-run", "data"),
            Box(0, 1, "operator", "TaskInstanceListener", "data"),
            Box(0, 2, "any program", "builders, RunEvent(...)", "data"),
            Box(1, 1, "event", "typed, checked"),
            Box(2, 0, "emitter", "HTTP, file, spool"),
            Box(3, 0, "backend", "Marquez, DataHub, ...", "data"),
            Box(2, 1, "event files", "one line for each", "data"),
            Box(3, 1, "validate", "findings, CI", "end"),
            Box(2, 2, "LineageState", "or Spark: archives"),
            Box(3, 2, "graph", "page, picture, tables", "end"),
        ],
        [
            "PySpark job -> event",
            "operator -> event",
            "any program -> event -> emitter -> backend",
            "emitter -> event files -> validate",
            "event files -> LineageState -> graph",
        ],
    ),
    "schema-to-class": Diagram(
        "Schemas are loaded, normalized, named, assembled, rendered, verified and written.",
        [
            Box(0, 0, "spec/*.json", "JSON Schemas", "data"),
            Box(1, 0, "load", "codegen/load.py"),
            Box(2, 0, "normalize", "codegen/normalize.py"),
            Box(3, 0, "name", "codegen/name.py"),
            Box(3, 1, "assemble", "codegen/assemble.py"),
            Box(2, 1, "render", "codegen/render/"),
            Box(1, 1, "verify", "codegen/verify.py"),
            Box(0, 1, "SQLJobFacet", "generated/", "end"),
        ],
        [
            "spec/*.json -> load -> normalize -> name -> assemble -> render -> verify -> SQLJobFacet",
        ],
    ),
    "write-to-event": Diagram(
        "A call that writes is planned, executed and recorded; the run's builder makes the event.",
        [
            Box(0, 0, "df.write.parquet()", "a call of the job", "data"),
            Box(1, 0, "wrapped method", "automatic/"),
            Box(2, 0, "write capture", "capture/"),
            Box(3, 0, "before: the plan", "datasets/, lineage/"),
            Box(3, 1, "after: the metrics", "metrics/"),
            Box(2, 1, "recorder", "capture/recorder.py"),
            Box(1, 1, "run events", "run/run_events.py"),
            Box(0, 1, "RunEvent", "to the emitter", "end"),
        ],
        [
            "df.write.parquet() -> wrapped method -> write capture -> before: the plan",
            "before: the plan --Spark writes-> after: the metrics -> recorder -> run events -> RunEvent",
        ],
    ),
    "line-to-table": Diagram(
        "Lines are validated; valid ones are folded into records, which merge and become tables.",
        [
            Box(0, 0, "lineage.ndjson", "files, tables, streams", "data"),
            Box(1, 0, "lines", "archives/text_lines.py"),
            Box(2, 0, "partial fold", "each task: records"),
            Box(3, 0, "merge", "one shuffle"),
            Box(3, 1, "jobs, runs, edges", "archives/tables/", "end"),
            Box(1, 1, "valid, quarantine", "archives/outcomes.py", "end"),
        ],
        [
            "lineage.ndjson -> lines",
            "lines --valid-> partial fold",
            "lines -> valid, quarantine",
            "partial fold -> merge -> jobs, runs, edges",
        ],
    ),
}


def files() -> Iterator[tuple[Path, str]]:
    """Yield the path of each picture, and what it contains."""
    for name, diagram in DIAGRAMS.items():
        yield PICTURES / f"{name}.svg", svg(diagram)


def svg(diagram: Diagram) -> str:
    """Return a diagram as SVG."""
    boxes = {box.title: box for box in diagram.boxes}
    width = max(_left(box) for box in diagram.boxes) + _WIDTH + _MARGIN
    height = max(_top(box) for box in diagram.boxes) + _HEIGHT + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{html.escape(diagram.description)}</title>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#64748b"/></marker></defs>',
    ]
    for line in diagram.arrows:
        source, *steps = re.split(r" (?:--(.*?))?-> ", line)
        for label, target in zip(steps[::2], steps[1::2], strict=True):
            lines.append(_arrow(boxes[source], boxes[target], label or ""))
            source = target
    lines += map(_box, diagram.boxes)
    return "\n".join([*lines, "</svg>", ""])


def _left(box: Box) -> float:
    return _MARGIN + box.column * _STEP_X


def _top(box: Box) -> float:
    return _MARGIN + box.row * _STEP_Y


def _box(box: Box) -> str:
    x, y = _left(box), _top(box)
    middle = x + _WIDTH / 2
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="8" fill="{_FILLS[box.kind]}" '
        'stroke="#5c6979"/>'
        f'<text x="{middle:g}" y="{y + (25 if box.detail else 34):g}" font-size="15" font-weight="600" '
        f'fill="#1b2530">{html.escape(box.title)}</text>'
        f'<text x="{middle:g}" y="{y + 44:g}" font-size="13" fill="#475569">{html.escape(box.detail)}</text>'
    )


def _arrow(source: Box, target: Box, label: str) -> str:
    """Return an arrow: down in one column, otherwise from side to side."""
    if source.column == target.column:
        down = target.row > source.row
        x1 = x2 = _left(source) + _WIDTH / 2
        y1, y2 = _top(source) + (_HEIGHT if down else 0), _top(target) + (0 if down else _HEIGHT)
        path = f"M{x1:g} {y1:g} L{x2:g} {y2:g}"
    else:
        right = target.column > source.column
        x1, x2 = _left(source) + (_WIDTH if right else 0), _left(target) + (0 if right else _WIDTH)
        y1, y2 = _top(source) + _HEIGHT / 2, _top(target) + _HEIGHT / 2
        middle = (x1 + x2) / 2
        path = f"M{x1:g} {y1:g} C{middle:g} {y1:g} {middle:g} {y2:g} {x2:g} {y2:g}"
    text = ""
    if label:
        is_down = source.column == target.column
        x, y = (x1 - 6, (y1 + y2) / 2 + 4) if is_down else ((x1 + x2) / 2, (y1 + y2) / 2 - 7)
        anchor = ' text-anchor="end"' if is_down else ""
        text = f'<text x="{x:g}" y="{y:g}" font-size="12" fill="#64748b"{anchor}>{html.escape(label)}</text>'
    return f'<path d="{path}" fill="none" stroke="#64748b" stroke-width="1.6" marker-end="url(#head)"/>{text}'


if __name__ == "__main__":
    raise SystemExit(write_or_check(files(), "diagrams.py"))
