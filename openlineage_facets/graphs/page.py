"""Lineage graphs as self-contained HTML pages, with marks of changes, and how to recognize graphs."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from openlineage_facets.graphs.description import Description, description
from openlineage_facets.graphs.focus import matching_nodes
from openlineage_facets.graphs.style import Mark, ascii_markup, asset, dark_colors, light_colors
from openlineage_facets.state import ColumnId, Lineage, Node
from openlineage_facets.state.column_edges import End


@dataclass(frozen=True)
class Marks:
    """What is marked in a drawing.

    Args:
        ends: Jobs, datasets and columns.
        links: Links by source and target.
        texts: What the drawing says about jobs and datasets.
    """

    ends: Mapping[End, Mark] = field(default_factory=dict)
    links: Mapping[tuple[End, End], Mark] = field(default_factory=dict)
    texts: Mapping[Node, Iterable[str]] = field(default_factory=dict)

    def add_to(self, data: dict[str, Any], drawn: Description, lineage: Lineage) -> None:
        """Add the marks to the data of a page. Marks are also texts, since colors alone are not enough."""
        numbers = drawn.graph.numbers
        columns: dict[str, Mark] = {}
        for dataset in lineage.datasets:
            for row, column in enumerate(dataset.columns):
                mark = self.ends.get(ColumnId(dataset.id, column.name))
                if mark is not None:
                    columns[f"{numbers[dataset.id]}/{row}"] = mark
                    data["nodes"][numbers[dataset.id]]["columns"][row][4] = mark
        for node, number in numbers.items():
            mark = self.ends.get(node)
            if mark is not None:
                described = data["nodes"][number]
                facets = {"changes": list(self.texts.get(node, ())), **described["facets"]}
                described |= {"change": mark, "detail": mark, "facets": facets}
        data["marks"] = {"columns": columns, "links": dict(self._links(drawn))}

    def _links(self, drawn: Description) -> Iterable[tuple[str, Mark]]:
        numbers = drawn.graph.numbers
        for (source, target), mark in self.links.items():
            if source in numbers and target in numbers:
                yield f"{numbers[source]}/{numbers[target]}", mark
        for way, edge in drawn.graph.columns:
            mark_of_edge = self.links.get((edge.source, edge.target))
            if mark_of_edge is not None:
                yield f"{way.source}/{way.row}/{way.target}/{way.target_row}", mark_of_edge


SCRIPTS = tuple(
    f"{name}.js"
    for name in ("graph", "placement", "drawing", "panel", "view", "camera", "overview", "search", "controls")
)
"""The script of a page, in this order."""


def page(
    lineage: Lineage,
    *,
    title: str = "Lineage",
    focus: Iterable[str] = (),
    columns: bool = False,
    marks: Marks | None = None,
) -> str:
    """Return a page that shows a graph, without network access.

    The page loads nothing, and names of jobs, datasets and columns are only text: its Content-Security-Policy
    allows only its own script and style. It is ASCII, so that it is the same in any encoding, as the hashes
    of the policy require.

    Args:
        lineage: The graph.
        title: The title of the page.
        focus: Names of jobs or datasets to start from, as in `focused`.
        columns: Show the columns of all datasets at first.
        marks: What to mark as added, removed or changed.

    Raises:
        ValueError: No job or dataset has a name in `focus`.

    Example:
        >>> Path("lineage.html").write_text(page(state.lineage()), encoding="utf-8")
    """
    drawn = description(lineage)
    numbers = drawn.graph.numbers
    data = drawn.to_json()
    data["focus"] = [numbers[node] for name in focus for node in matching_nodes(lineage, name)]
    data["showColumns"] = columns
    (marks or Marks()).add_to(data, drawn, lineage)
    script = "(() => {\n" + "\n".join(asset(name) for name in SCRIPTS) + "})();\n"
    style = "\n".join((_colors(), asset("drawing.css"), asset("page.css")))
    parts = {
        "title": ascii_markup(html.escape(title)),
        "policy": f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        "script": script,
    }
    pieces = asset("page.html").split("{{")
    filled = (f"{parts[name]}{rest}" for name, _, rest in (piece.partition("}}") for piece in pieces[1:]))
    return "".join((pieces[0], *filled))


def _colors() -> str:
    light, dark = light_colors(), dark_colors()
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f':root[data-theme="dark"] {{ color-scheme: dark; {dark} }}\n'
        f'@media print {{ :root, :root[data-theme="dark"] {{ color-scheme: light; {light} }} }}'
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


_BEGINNINGS_AND_MARKS = (
    ("<!DOCTYPE html>", '<meta name="generator" content="openlineage-facets">'),
    ("<svg ", "<!-- lineage graph of openlineage-facets -->"),
    ("digraph lineage {\n  graph [rankdir=LR, ", "\n  node ["),
    ('{\n  "jobs": [', '\n  "columnEdges": ['),
)


def is_graph(text: str) -> bool:
    """Return whether a text is a graph of this package, also one of other events or with other options.

    Mermaid diagrams are recognized if they are all of the text.
    """
    if text.startswith("```mermaid\n") and text.endswith("\n```\n"):
        text = text[len("```mermaid\n") : -len("```\n")]
    if text.startswith("flowchart LR\n"):
        return text.splitlines()[-1].startswith("  classDef failed ")
    return any(text.startswith(beginning) and mark in text for beginning, mark in _BEGINNINGS_AND_MARKS)
