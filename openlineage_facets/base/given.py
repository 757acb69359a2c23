"""What callers give to be composed, and what it raises."""

from __future__ import annotations

from collections.abc import Iterable
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["READ_ONCE", "cause_of", "listed", "unnamed"]

READ_ONCE = frozenset({GeneratorType, map, filter, zip})
"""Iterators, of which nobody could tell later what they gave, nor what they raised."""


def listed(values: Iterable[Any], name: str) -> list[Any]:
    """Return what an iterator gives for a field.

    Raises:
        EventError: It raises; the error has what it raised for its cause.
    """
    given: list[Any] = []
    try:
        given.extend(values)
    except EventError:
        raise  # It says what is wrong.
    except Exception as error:
        found = f"an iterator that raises {type(error).__name__} after {len(given)} of them"
        raise EventError([Finding(json_pointer([name]), "values", found, code="OL018")]) from error
    return given


def cause_of(error: ValidationError) -> Exception | None:
    """Return the first exception that a validator of a class of one's own raised."""
    contexts = (detail.get("ctx", {}) for detail in error.errors(include_url=False, include_input=False))
    causes = (context.get("error") for context in contexts)
    return next((cause for cause in causes if isinstance(cause, Exception)), None)


def unnamed(field: str, value: object) -> Finding:
    """Return the finding of an entity without a name: an empty one, or none at all."""
    found = "an empty string" if value == "" else shown(value)
    return Finding(f"/{field}", "a name", found, f"say which {field} is meant")
