"""The graph of an event, a state or a lineage, for notebooks.

Drawing is a layer above them. It is loaded by its name, and only by notebooks and `show`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any


def picture_of(value: Any) -> str:
    """Return a picture as HTML, or "" if there is nothing to see, or too much."""
    picture: str = import_module("openlineage_facets.graphs.notebook").picture(value)
    return picture


def show_graph(value: Any) -> Path:
    """Open a page in a browser, and return its file."""
    path: Path = import_module("openlineage_facets.graphs.notebook").show(value)
    return path
