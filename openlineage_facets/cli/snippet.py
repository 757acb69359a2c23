"""The offending part of an event in one line, without passwords."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets.base.credentials import LOOKED_AT, without_secrets
from openlineage_facets.cli.raw_text import tellable
from openlineage_facets.validation.lines import break_of
from openlineage_facets.validation.pointers import NOTHING, steps_of, value_at

__all__ = ["beginning_of_text", "printable", "snippet_at", "snippet_of_text"]

_WIDTH = 100


def snippet_at(document: Any, pointer: str) -> str:
    """Return what stands at `pointer`, with its key; where nothing does, what is around it.

    Args:
        document: The event.
        pointer: The place.
    """
    steps = steps_of(pointer)
    while steps and value_at(document, steps) is NOTHING:
        steps.pop()
    value = _shortened(value_at(document, steps), 3)
    text = json.dumps(value, ensure_ascii=False, default=str)
    if steps and isinstance(value_at(document, steps[:-1]), dict):
        text = f"{json.dumps(_shortened(steps[-1], 0), ensure_ascii=False)}: {text}"
    return printable(text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "...")


def snippet_of_text(text: bytes) -> str:
    """Return the surroundings of the place from which a text is no JSON, on its line."""
    plain = tellable(text)
    line, column = break_of(plain.encode("utf-8", "surrogateescape")) or (1, 1)
    row = plain.split("\n")[line - 1]
    place = len(row.encode("utf-8", "surrogateescape")[: column - 1].decode("utf-8", "replace"))
    start = max(0, min(place - _WIDTH // 2, len(row) - _WIDTH))
    before = "..." if start else ""
    after = "..." if start + _WIDTH < len(row) else ""
    return _in_one_line(f"{before}{row[start : start + _WIDTH]}{after}")


def beginning_of_text(text: bytes) -> str:
    """Return the beginning of a text that is too long to read."""
    return _in_one_line(f"{tellable(text[:LOOKED_AT])[:_WIDTH]}...")


def _in_one_line(text: str) -> str:
    told = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return printable(" ".join(told.split()))


def printable(text: str) -> str:
    """Return `text` in one line, with an escape for whatever a terminal might act on."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _shortened(value: Any, depth: int) -> Any:
    """Return enough of a value to fill a line, so that a large one is not written out for nothing.

    Passwords go before anything is cut, for none can be told by its first half.
    """
    if isinstance(value, dict):
        if depth == 0 and value:
            return {"...": 0}
        return {_shortened(key, 0): _shortened(item, depth - 1) for key, item in list(value.items())[:12]}
    if isinstance(value, list):
        return [_shortened(item, depth - 1) for item in value[:12]] if depth else [0] * bool(value)
    return without_secrets(value[:LOOKED_AT])[: 2 * _WIDTH] if isinstance(value, str) else value
