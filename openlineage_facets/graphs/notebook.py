"""Graphs in notebooks: a picture in the output of a cell, and a page in the browser."""

from __future__ import annotations

import base64
import tempfile
import webbrowser
from itertools import chain
from pathlib import Path
from typing import Any

from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.graphs.labels import redacted
from openlineage_facets.graphs.page import page
from openlineage_facets.graphs.summaries import size_text
from openlineage_facets.graphs.svg import svg
from openlineage_facets.state import Lineage, LineageState

_MOST_NODES = 150
"""Larger pictures could not be read in a notebook."""


def picture(value: Any) -> str:
    """Return the picture of a graph, a state or an event as HTML without scripts.

    Return "" if there is nothing to see, or too much. Names are redacted, as in tables.
    """
    if isinstance(value, LineageState) and len([*chain(value.jobs(), value.datasets())]) > _MOST_NODES:
        return ""
    try:
        lineage = redacted(_lineage(value))
    except EventError:  # An event with findings, for example without a time.
        return ""
    if not lineage.edges or len(lineage.jobs) + len(lineage.datasets) > _MOST_NODES:
        return ""
    # An image has its own styles: those of the picture would also change the notebook.
    data = base64.b64encode(svg(lineage).encode()).decode()
    image = f'<img alt="{size_text(lineage)}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'
    return f"<div>{image}</div>"


def show(value: Any) -> Path:
    """Open the page of a graph, a state or an event in a browser, and return its file."""
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(page(_lineage(value)))
    path = Path(file.name)
    webbrowser.open(path.as_uri())
    return path


def _lineage(value: Any) -> Lineage:
    if isinstance(value, Lineage):
        return value
    if isinstance(value, LineageState):
        return value.lineage()
    state = LineageState()
    state.apply(value)
    return state.lineage()
