"""Consume iterators passed to constructors, and report the exceptions they raise."""

from __future__ import annotations

from collections.abc import Iterable
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["READ_ONCE", "cause_of", "listed", "unnamed"]

READ_ONCE = frozenset({GeneratorType, map, filter, zip})
"""Types of iterators that are consumed first: a failed validation could not be repeated."""


def listed(values: Iterable[Any], name: str) -> list[Any]:
    """Return the values of an iterator that was passed for a field.

    Raises:
        EventError: The iterator raised an exception, which is the cause of the error.
    """
    given: list[Any] = []
    try:
        given.extend(values)
    except EventError:
        raise  # It has its own findings.
    except Exception as error:
        found = f"an iterator that raised {type(error).__name__} after {len(given)} values"
        raise EventError(
            [Finding(json_pointer([name]), "an iterable of values", found, code="OL018")]
        ) from error
    return given


def cause_of(error: ValidationError) -> Exception | None:
    """Return the first exception raised by a validator of a user-defined class."""
    contexts = (detail.get("ctx", {}) for detail in error.errors(include_url=False, include_input=False))
    causes = (context.get("error") for context in contexts)
    return next((cause for cause in causes if isinstance(cause, Exception)), None)


def unnamed(field: str, value: object) -> Finding:
    """Return the finding of an entity whose name or namespace is empty or missing."""
    found = "an empty string" if value == "" else shown(value)
    return Finding(f"/{field}", f"a {field}", found, f"pass the {field}")
