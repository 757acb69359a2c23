"""Find the line numbers of JSON values and of JSON syntax errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from pydantic_core import from_json

from openlineage_facets.base.errors.json_pointer import steps_of

_TOKEN = re.compile(r'"[^"]*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_BRACKET = re.compile(r'"[^"]*"|[{}\[\]]')
"""Tokens of a text without escaped quotation marks: `re` takes much memory to repeat a group for escapes."""

_ERROR_POSITION = re.compile(r"at line (\d+) column (\d+)$")
_LINE_END = re.compile(r"\r\n|\n|\r")
_LONE_RETURN = re.compile(rb"\r(?!\n)")


def line_numbers(text: str, pointers: Iterable[str]) -> dict[str, int]:
    """Return the line, starting at 1, on which each value of a JSON text begins.

    A missing value gets the line of the innermost enclosing object or array. For a duplicate key, the last
    value counts, as in JSON parsers.

    Args:
        text: Valid JSON.
        pointers: JSON Pointers.

    Example:
        >>> line_numbers('{"run":\\n {"runId": 7}}', ["/run/runId", "/job"])
        {'/run/runId': 2, '/job': 1}
    """
    root = _Target()
    steps_by_pointer = {pointer: steps_of(pointer) for pointer in pointers}
    for steps in steps_by_pointer.values():
        root.add(steps)
    _find_offsets(text, root)
    offsets = {pointer: root.offset_of(steps) for pointer, steps in steps_by_pointer.items()}
    lines = _lines_at(text, offsets.values())
    return {pointer: lines[offset] for pointer, offset in offsets.items()}


def _lines_at(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """Return the line of each offset."""
    lines: dict[int, int] = {}
    ends = _LINE_END.finditer(text)
    line, end = 1, next(ends, None)
    for offset in sorted(set(offsets)):
        while end is not None and end.end() <= offset:
            line, end = line + 1, next(ends, None)
        lines[offset] = line
    return lines


def json_error_position(text: bytes | bytearray) -> tuple[int, int] | None:
    """Return line and column, starting at 1, of the first JSON syntax error; None if the text is valid.

    Columns count bytes. For truncated text, the position is after the last character.

    Args:
        text: The text.

    Example:
        >>> json_error_position(b'{"run":\\n tru}'), json_error_position(b"[7")
        ((2, 5), (1, 3))
    """
    text = _LONE_RETURN.sub(b"\n", text)  # The parser counts no other line breaks.
    try:
        from_json(text.rstrip())
    except ValueError as error:
        position = _ERROR_POSITION.search(str(error))
        if position is not None:
            line, column = int(position[1]), int(position[2])
            if "EOF" in str(error):
                column += 1
            elif column == 0 and line > 1:  # The line break itself belongs to the previous line.
                line, column = line - 1, len(text.split(b"\n", line - 1)[line - 2]) + 1
            return line, max(column, 1)
    return None


class _Target:
    """A value to find, or one that contains such a value.

    Attributes:
        offset: Its offset in the text, None until it is found.
        children: The targets inside it, by key or index.
    """

    __slots__ = ("children", "offset")

    def __init__(self) -> None:
        self.offset: int | None = None
        self.children: dict[str, _Target] = {}

    def add(self, steps: Sequence[str]) -> None:
        """Add the value at `steps` as a target."""
        if steps:
            self.children.setdefault(steps[0], _Target()).add(steps[1:])

    def begin(self, offset: int | None) -> None:
        """Set the offset, and reset the targets inside an earlier value of a duplicate key."""
        self.offset = offset
        for child in self.children.values():
            child.begin(None)

    def offset_of(self, steps: Sequence[str]) -> int:
        """Return the offset of the value at `steps`, or of the innermost enclosing value if it is missing."""
        child = self.children.get(steps[0]) if steps else None
        if child is None or child.offset is None:
            return self.offset or 0
        return child.offset_of(steps[1:])


class _OpenContainer:
    """An object or array that the scanner is inside of.

    Attributes:
        target: The container.
        index: The index of the current item, None for an object.
    """

    __slots__ = ("index", "target")

    def __init__(self, target: _Target, index: int | None) -> None:
        self.target = target
        self.index = index

    def child(self, step: str) -> _Target | None:
        return self.target.children.get(step)


def _find_offsets(text: str, root: _Target) -> None:
    """Set the offset of each target."""
    open_containers: list[_OpenContainer] = []
    next_target: _Target | None = root
    is_key_next = False
    unescaped = text.replace(r"\\", "__").replace(r"\"", "__")  # Of equal length.
    tokens = _TOKEN.finditer(unescaped)
    while (match := next(tokens, None)) is not None:
        token = match[0]
        sign = token[0]
        if sign == ":":
            continue
        if sign in "}]":
            open_containers.pop()
            is_key_next = False
        elif sign == ",":
            container = open_containers[-1]
            if container.index is None:
                is_key_next = True
            else:
                container.index += 1
                next_target = container.child(str(container.index))
        elif is_key_next:
            is_key_next = False
            next_target = open_containers[-1].child(json.loads(text[match.start() : match.end()]))
        elif next_target is None:
            if sign in "{[":
                tokens = _TOKEN.finditer(unescaped, _end_of(unescaped, match.start()))
        else:
            next_target.begin(match.start())
            if sign == "{":
                open_containers.append(_OpenContainer(next_target, None))
                is_key_next = True
            elif sign == "[":
                open_containers.append(_OpenContainer(next_target, 0))
                next_target = open_containers[-1].child("0")


def _end_of(text: str, start: int) -> int:
    """Return the end of an object or array without targets, which is skipped.

    Args:
        text: The text, without escaped quotation marks.
        start: Where the object or array begins.
    """
    depth = 0
    for match in _BRACKET.finditer(text, start):
        sign = match[0][0]
        depth += 1 if sign in "{[" else -1 if sign in "}]" else 0
        if depth == 0:
            return match.end()
    return len(text)
