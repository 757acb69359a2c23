"""Lineage graphs as self-contained HTML pages, and how to recognize them."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable

from openlineage_facets.graphs.description import description
from openlineage_facets.graphs.focus import matching_nodes
from openlineage_facets.graphs.marks import Marks
from openlineage_facets.graphs.style import asset, dark_colors, light_colors
from openlineage_facets.state import Lineage

SCRIPTS = tuple(
    f"{name}.js"
    for name in ("graph", "placement", "drawing", "panel", "view", "overview", "search", "controls")
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
    allows only its own script and style.

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
        "title": html.escape(title),
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
