"""The sizes and distances of a drawing, which pages receive as data."""

from __future__ import annotations

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
