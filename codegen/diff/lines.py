"""Find the line of a value in the text of a JSON file."""

from __future__ import annotations

import json
import re

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def line_of(text: str, pointer: str) -> int:
    """Return the line of the value at a JSON Pointer, or of the innermost value around it that exists.

    Args:
        text: Valid JSON.
        pointer: The pointer.
    """
    start = position = _BLANK.match(text, 0).end()  # type: ignore[union-attr]
    for step in pointer.split("/")[1:]:
        found = _member(text, position, step.replace("~1", "/").replace("~0", "~"))
        if found is None:
            break
        start, position = found
    return text.count("\n", 0, start) + 1


def _member(text: str, position: int, step: str) -> tuple[int, int] | None:
    """Return where a member of the value at a position starts, with its name, and where its value does."""
    is_object = text[position] == "{"
    if not is_object and text[position] != "[":
        return None
    number = 0
    position = _after_blank(text, position + 1)
    while text[position] not in "}]":
        start, name = position, str(number)
        if is_object:
            name, position = _DECODER.raw_decode(text, position)
            position = _after_blank(text, _after_blank(text, position) + 1)
        if name == step:
            return start, position
        _, position = _DECODER.raw_decode(text, position)
        position = _after_blank(text, position)
        if text[position] == ",":
            position = _after_blank(text, position + 1)
        number += 1
    return None


def _after_blank(text: str, position: int) -> int:
    return _BLANK.match(text, position).end()  # type: ignore[union-attr]
