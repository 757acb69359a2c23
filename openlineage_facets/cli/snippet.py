"""The offending part of an event in one line."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets.validation.pointers import NOTHING, steps_of, value_at

__all__ = ["printable", "snippet_at", "snippet_of_text"]

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
        text = f"{json.dumps(steps[-1], ensure_ascii=False)}: {text}"
    return printable(text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "...")


def snippet_of_text(text: bytes) -> str:
    """Return the surroundings of the place from which a text is no JSON."""
    decoded = text.decode("utf-8", "backslashreplace")
    try:
        json.loads(decoded)
        place = 0
    except json.JSONDecodeError as error:
        place = error.pos
    except (ValueError, RecursionError):
        place = 0
    start = max(0, min(place - _WIDTH // 2, len(decoded) - _WIDTH))
    part = decoded[start : start + _WIDTH]
    before = "..." if start else ""
    after = "..." if start + _WIDTH < len(decoded) else ""
    return printable(f"{before}{' '.join(part.split())}{after}")


def printable(text: str) -> str:
    """Return `text` in one line, with an escape for whatever a terminal might act on."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _shortened(value: Any, depth: int) -> Any:
    """Return enough of a value to fill a line, so that a large one is not written out for nothing."""
    if isinstance(value, dict):
        if depth == 0 and value:
            return {"...": 0}
        return {key: _shortened(item, depth - 1) for key, item in list(value.items())[:12]}
    if isinstance(value, list):
        return [_shortened(item, depth - 1) for item in value[:12]] if depth else [0] * bool(value)
    return value[: 2 * _WIDTH] if isinstance(value, str) else value
