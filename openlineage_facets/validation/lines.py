"""On which line of a JSON text something stands, or the text is no JSON any more."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from pydantic_core import from_json

from openlineage_facets.validation.pointers import steps_of

__all__ = ["break_of", "lines_of"]

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]')
_TOLD = re.compile(r"at line (\d+) column (\d+)$")
_LINE_END = re.compile(r"\r\n|\n|\r")


def lines_of(text: str, pointers: Iterable[str]) -> dict[str, int]:
    """Return the line, counted from 1, on which each place of a JSON text begins.

    A place that is not there gets the line of the innermost object or array around it that is. Of a key
    that stands twice in an object, the last counts, as it does for readers.

    Args:
        text: Valid JSON.
        pointers: JSON Pointers.

    Example:
        >>> lines_of('{"run":\\n {"runId": 7}}', ["/run/runId", "/job"])
        {'/run/runId': 2, '/job': 1}
    """
    root = _Place()
    ways = {pointer: steps_of(pointer) for pointer in pointers}
    for steps in ways.values():
        root.reach(steps)
    _find(text, root)
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    return {pointer: bisect_right(starts, root.offset_of(steps)) for pointer, steps in ways.items()}


def break_of(text: bytes | bytearray) -> tuple[int, int] | None:
    """Return line and column, counted from 1, from which a text is no JSON; None where all of it is.

    Columns count bytes. A text that ends too soon breaks behind its last character.

    Args:
        text: The text.

    Example:
        >>> break_of(b'{"run":\\n tru}'), break_of(b"[7")
        ((2, 5), (1, 3))
    """
    try:
        from_json(text.rstrip())
    except ValueError as error:
        place = _TOLD.search(str(error))
        if place is not None:
            line, column = int(place[1]), int(place[2])
            if "EOF" in str(error):
                column += 1
            elif column == 0 and line > 1:  # The line break itself, which ends the line before.
                line, column = line - 1, len(text.split(b"\n", line - 1)[line - 2]) + 1
            return line, max(column, 1)
    return None


class _Place:
    """A value that somebody asks for, or one on the way to it.

    Attributes:
        offset: Where in the text it begins, None as long as it was not found.
        inside: The values in it, by key or index.
    """

    __slots__ = ("inside", "offset")

    def __init__(self) -> None:
        self.offset: int | None = None
        self.inside: dict[str, _Place] = {}

    def reach(self, steps: Sequence[str]) -> None:
        """Ask for what is at `steps` below."""
        if steps:
            self.inside.setdefault(steps[0], _Place()).reach(steps[1:])

    def begin(self, offset: int) -> None:
        """Note that the value begins here, and that what was found in an earlier one no longer counts."""
        self.offset = offset
        for place in self.inside.values():
            place.forget()

    def forget(self) -> None:
        self.offset = None
        for place in self.inside.values():
            place.forget()

    def offset_of(self, steps: Sequence[str]) -> int:
        """Return where the value at `steps` begins, or the innermost one around it that is there."""
        place = self.inside.get(steps[0]) if steps else None
        if place is None or place.offset is None:
            return self.offset or 0
        return place.offset_of(steps[1:])


class _Holder:
    """An object or array that the scan is in.

    Attributes:
        place: What is asked for of it.
        index: The index of the present entry, None for an object.
    """

    __slots__ = ("index", "place")

    def __init__(self, place: _Place, index: int | None) -> None:
        self.place = place
        self.index = index

    def entry(self, step: str) -> _Place | None:
        return self.place.inside.get(step)


def _find(text: str, root: _Place) -> None:
    """Note where each value that is asked for begins."""
    holders: list[_Holder] = []
    coming: _Place | None = root
    key_comes = False
    tokens = _TOKEN.finditer(text)
    while (match := next(tokens, None)) is not None:
        token = match[0]
        sign = token[0]
        if sign == ":":
            continue
        if sign in "}]":
            holders.pop()
            key_comes = False
        elif sign == ",":
            holder = holders[-1]
            if holder.index is None:
                key_comes = True
            else:
                holder.index += 1
                coming = holder.entry(str(holder.index))
        elif key_comes:
            key_comes = False
            coming = holders[-1].entry(json.loads(token))
        elif coming is None:
            if sign in "{[":
                tokens = _TOKEN.finditer(text, _end_of(text, match.start()))
        else:
            coming.begin(match.start())
            if sign == "{":
                holders.append(_Holder(coming, None))
                key_comes = True
            elif sign == "[":
                holders.append(_Holder(coming, 0))
                coming = holders[-1].entry("0")


def _end_of(text: str, start: int) -> int:
    """Return where the object or array ends that starts here, and in which nobody asks for anything."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        sign = match[0][0]
        depth += 1 if sign in "{[" else -1 if sign in "}]" else 0
        if depth == 0:
            return match.end()
    return len(text)
