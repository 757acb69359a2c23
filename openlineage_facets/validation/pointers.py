"""JSON Pointers, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["NOTHING", "steps_of", "value_at"]

NOTHING: Any = object()
"""What stands where nothing stands; null is something."""


def steps_of(pointer: str) -> list[str]:
    """Return the keys and indexes of a JSON Pointer, outermost first, as text."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def value_at(document: Any, steps: Sequence[str]) -> Any:
    """Return what stands at `steps` of a document, or `NOTHING`."""
    value = document
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step, NOTHING)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return NOTHING
    return value
