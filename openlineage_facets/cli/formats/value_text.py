"""JSON values as text in one line or in lines of limited width."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from openlineage_facets.base.display.printable import printable

MAX_LENGTH = 200
"""Maximum number of characters of a shortened value."""


def word(value: Any) -> str:
    """Return a string unchanged, None as "", any other value as JSON."""
    if value is None:
        return ""
    return printable(value) if isinstance(value, str) else compact(value, MAX_LENGTH)


def full_name(entity: dict[str, Any]) -> str:
    """Return the namespace and the name of an entity."""
    return "  ".join(word(entity[part]) for part in ("namespace", "name") if part in entity)


def compact(value: Any, limit: int | None) -> str:
    """Return a value in one line, shortened to a number of characters if there is a limit."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(printable(text), limit)


def shortened(text: str, limit: int | None) -> str:
    """Return a text that ends with its total length if it has more characters than the limit."""
    if limit is None or len(text) <= limit:
        return text
    return f"{text[:limit]}... ({len(text):,} characters)"


_LEAST = 16
"""Characters of text in a line, also if the terminal is narrower than the indentation."""


def wrapped(text: Text, width: int, indent: int) -> Iterator[Text]:
    """Yield the lines of a text. No character is lost but the spaces at which lines are broken.

    Lines are broken at spaces. Words too long for a line are broken after slashes and the like.

    Args:
        text: One line, with styles.
        width: The greatest width of a line.
        indent: The indentation of all lines but the first.
    """
    plain = text.plain
    start, available = 0, max(width, _LEAST)
    while True:
        end = _fitting(plain, start, available)
        if end < len(plain):
            end = _break(plain, start, end)
        line = text[start:end]
        yield Text(" " * indent) + line if start else line
        start = _after_spaces(plain, end)
        if start >= len(plain):
            return
        available = max(width - indent, _LEAST)


def _fitting(plain: str, start: int, available: int) -> int:
    """Return the end of the longest part from `start` on that is at most `available` cells wide."""
    for end in range(start, len(plain)):
        available -= cell_len(plain[end])
        if available < 0:
            return max(end, start + 1)
    return len(plain)


def _break(plain: str, start: int, end: int) -> int:
    """Return where to break a line that may not go beyond `end`."""
    first = min(_after_spaces(plain, start), end)
    half = first + (end - first) // 2
    space = plain.rfind(" ", first, end + 1)
    separator = max(plain.rfind(char, half, end) + 1 for char in "/,;&?=:")
    if space > half:
        return space
    return separator if separator > half else space if space > first else end


def _after_spaces(plain: str, start: int) -> int:
    return next((at for at in range(start, len(plain)) if plain[at] != " "), len(plain))
