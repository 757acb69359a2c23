"""The sizes and colors of drawings, and the files with the styles and scripts of pictures and pages."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal, TypeAlias

Mark: TypeAlias = Literal["added", "removed", "changed"]
"""What has happened to a part of a drawing."""

WIDTH = 210
HEAD = 46
ROW = 20
GAP = 18
POINT_GAP = 10
"""The distance between a link and a node or another link."""
LAYER_GAP = 60
STRIP = 9
"""The distance between a node and the first track below it."""
TRACK = 6
TRACKS = 90
"""The greatest distance between two tracks next to each other, and between the first and the last one."""
TURN = 42
"""How far links that turn swing out: less than the gap between layers."""

NAME_WIDTH = 13
"""The greatest width of a name in units of its font size, in any usual font."""
NAMESPACE_WIDTH = 15

MEASURES = {name: value for name, value in globals().items() if name.isupper()}
"""The sizes and distances by name, which pages receive as data."""

_COLORS = {
    "page": ("#f6f8fb", "#12171e"),
    "surface": ("#ffffff", "#1b222c"),
    "line": ("#c6d0dc", "#3d4a5a"),
    "text": ("#1b2530", "#e6ebf2"),
    "faint": ("#5c6979", "#98a5b5"),
    "row": ("#eef3fa", "#232d3a"),
    "shadow": ("#1b253022", "#00000055"),
    "dataset": ("#e8f0fb", "#1c2a40"),
    "job": ("#f6f2e8", "#2e2819"),
    "failed": ("#fbe9e7", "#3a1f20"),
    "edge": ("#94a1b1", "#64748a"),
    "up": ("#0f8a7e", "#3fc4b4"),
    "down": ("#b4459a", "#e083c8"),
    "chosen": ("#1d4ed8", "#8bb4ff"),
    "good": ("#23863a", "#57c06f"),
    "bad": ("#c9302c", "#f2706b"),
    "busy": ("#7c3aed", "#b69cff"),
    "group0": ("#2563c9", "#6ea2f5"),
    "group1": ("#a06a12", "#dfa64a"),
    "group2": ("#0e7490", "#4cc3dc"),
    "group3": ("#9333a8", "#d08be0"),
    "group4": ("#4d7c0f", "#a3cf52"),
    "group5": ("#be3a5f", "#f28ba8"),
    "group6": ("#8a4b2a", "#d39a78"),
    "group7": ("#2f7150", "#72c49a"),
    "group8": ("#5a62b8", "#9ba3ee"),
    "group9": ("#57606e", "#a4afbd"),
}
"""Each color for light and dark backgrounds."""

GROUP_COLORS = sum(name.startswith("group") for name in _COLORS)
"""The number of colors of namespaces. The last one is that of all others."""

STATE_CLASSES = {"COMPLETE": "good", "FAIL": "bad", "ABORT": "bad", "START": "busy", "RUNNING": "busy"}
"""The colors of states. Others are faint."""


def light_colors() -> str:
    """Return the colors for light backgrounds as variables of CSS."""
    return " ".join(f"--{name}: {light};" for name, (light, _) in _COLORS.items())


def dark_colors() -> str:
    """Return the colors for dark backgrounds as variables of CSS."""
    return " ".join(f"--{name}: {dark};" for name, (_, dark) in _COLORS.items())


def color(name: str) -> str:
    """Return a color for light backgrounds."""
    light, _ = _COLORS[name]
    return light


def ascii_markup(text: str) -> str:
    """Return HTML or XML with character references in place of characters that are not ASCII."""
    return text.encode("ascii", "xmlcharrefreplace").decode()


def asset(name: str) -> str:
    """Return the text of a file in the folder `assets`."""
    return (files("openlineage_facets.graphs") / "assets" / name).read_text(encoding="utf-8")
