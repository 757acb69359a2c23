"""Recognize the graphs of this package."""

from __future__ import annotations

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
