"""Look up a value by the steps of a JSON Pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MISSING: Any = object()
"""Returned if there is no value; distinct from None, which is JSON null."""


def value_at(document: Any, steps: Sequence[str]) -> Any:
    """Return the value at `steps` of a document, or `MISSING`."""
    value = document
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step, MISSING)
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
    return value
