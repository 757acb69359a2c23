"""The styles and scripts of pictures and pages."""

from __future__ import annotations

from importlib.resources import files


def asset(name: str) -> str:
    """Return the text of a file in the folder `assets`."""
    return (files("openlineage_facets.graphs") / "assets" / name).read_text(encoding="utf-8")
