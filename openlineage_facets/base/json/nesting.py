"""Find values that contain themselves or are nested too deeply, without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from openlineage_facets.base.errors.findings import EventError, Finding, describe
from openlineage_facets.base.errors.json_pointer import json_pointer

MOST_LEVELS = 200
"""Levels of objects and arrays inside the outermost one that parsers of JSON text accept."""

_SHOWN_STEPS = 8
"""Steps of the location of a value that is nested too deeply."""


def assert_nesting(value: Any, most_levels: int | None = MOST_LEVELS) -> None:
    """Reject a value that contains itself, or has more levels of dicts, lists and tuples inside than allowed.

    Args:
        value: The value.
        most_levels: The limit, None for any number of levels.

    Raises:
        EventError: The value contains itself, or has more levels.
    """
    finding = nesting_finding(value, most_levels)
    if finding is not None:
        raise EventError([finding])


def nesting_finding(value: Any, most_levels: int | None = MOST_LEVELS) -> Finding | None:
    """Return the finding of `assert_nesting`, None if the value is nested correctly."""
    if not isinstance(value, _CONTAINERS):
        return None
    levels: dict[int, int] = {}  # Of values that are completely visited, which may occur at several places.
    open_parts = [_Open(None, value)]
    holders = {id(value)}
    while open_parts:
        holder = open_parts[-1]
        for step, part in holder.parts:
            if not isinstance(part, _CONTAINERS):
                continue
            if id(part) in holders:
                steps = [one.step for one in open_parts[1:]]
                return _contains_itself([*steps, step], part)
            known = levels.get(id(part))
            if most_levels is not None and len(open_parts) - 1 + (known or 1) > most_levels:
                steps = [one.step for one in open_parts[1:]]
                return _too_deep([*steps, step], most_levels)
            if known is None:
                open_parts.append(_Open(step, part))
                holders.add(id(part))
                break
            holder.levels = max(holder.levels, 1 + known)
        else:
            open_parts.pop()
            holders.remove(id(holder.value))
            levels[id(holder.value)] = holder.levels
            if open_parts:
                open_parts[-1].levels = max(open_parts[-1].levels, 1 + holder.levels)
    return None


_CONTAINERS = (dict, list, tuple)


class _Open:
    """A dict, list or tuple whose parts are being visited."""

    __slots__ = ("levels", "parts", "step", "value")

    def __init__(self, step: Any, value: Any) -> None:
        self.step = step
        self.value = value
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        self.parts: Iterator[tuple[Any, Any]] = iter(parts)
        self.levels = 1


def _contains_itself(steps: list[Any], value: Any) -> Finding:
    expected, hint = "a value that does not contain itself", "write a name or an id in this place instead"
    return Finding(json_pointer(steps), expected, f"{describe(value)} that contains itself", hint, "OL015")


def _too_deep(steps: list[Any], most_levels: int) -> Finding:
    expected, found = f"JSON nested at most {most_levels} levels deep", f"more than {most_levels} levels"
    return Finding(json_pointer(steps[:_SHOWN_STEPS]), expected, found, "pass it as a string", "OL001")
