"""The sizes and distances of a drawing, which pages receive as data."""

from __future__ import annotations

__all__ = [
    "GAP",
    "HEAD",
    "LAYER_GAP",
    "MEASURES",
    "NAMESPACE_WIDTH",
    "NAME_WIDTH",
    "POINT_GAP",
    "POINT_WEIGHT",
    "ROW",
    "STRIP",
    "SWEEPS",
    "TRACK",
    "TRACKS",
    "TURN",
    "WIDTH",
]

WIDTH = 250
HEAD = 46
ROW = 20
GAP = 18
POINT_GAP = 10
"""The distance between a link and a node or another link."""
LAYER_GAP = 96
STRIP = 9
"""The distance between a node and the first track below it."""
TRACK = 6
TRACKS = 90
"""The greatest distance between two tracks next to each other, and between the first and the last one."""
TURN = 60
"""How far links that turn swing out: less than the gap between layers."""
SWEEPS = 8
POINT_WEIGHT = 4
"""How much more a link keeps its place than a node does, so that links are straight."""

NAME_WIDTH = 16
"""The greatest width of a name in units of its font size, in any usual font."""
NAMESPACE_WIDTH = 17

MEASURES = {
    "WIDTH": WIDTH,
    "HEAD": HEAD,
    "ROW": ROW,
    "GAP": GAP,
    "POINT_GAP": POINT_GAP,
    "LAYER_GAP": LAYER_GAP,
    "STRIP": STRIP,
    "TRACK": TRACK,
    "TRACKS": TRACKS,
    "TURN": TURN,
    "SWEEPS": SWEEPS,
    "POINT_WEIGHT": POINT_WEIGHT,
}
