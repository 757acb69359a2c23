"""Consume iterators passed to constructors, and report the exceptions they raise."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

from openlineage_facets.base.errors.findings import EventError, Finding, json_pointer

__all__ = ["ITERATOR_TYPES", "consume_iterator"]

ITERATOR_TYPES = frozenset({GeneratorType, map, filter, zip})
"""Types of iterators that are consumed first: a failed validation could not be repeated."""


def consume_iterator(values: Any, name: str) -> list[Any]:
    """Return the values of an iterator that was passed for a field.

    Args:
        values: The iterator.
        name: The field.

    Raises:
        EventError: The iterator raised an exception, which is the cause of the error.
    """
    consumed: list[Any] = []
    try:
        consumed.extend(values)
    except EventError:
        raise  # It has its own findings.
    except Exception as error:
        found = f"an iterator that raised {type(error).__name__} after {len(consumed)} values"
        raise EventError(
            [Finding(json_pointer([name]), "an iterable of values", found, code="OL018")]
        ) from error
    return consumed
